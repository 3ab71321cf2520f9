import { Component, type ReactNode } from 'react';

import { ErrorNote } from './states.js';

type ErrorBoundaryProps = Readonly<{ children: ReactNode }>;

/**
 * Shows the error of a screen that cannot be rendered, and a button that loads the page again: after an upgrade of the
 * server, the files of the earlier version are gone.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Readonly<{ error: unknown }>> {
  override readonly state: Readonly<{ error: unknown }> = { error: undefined };

  static getDerivedStateFromError(error: unknown): Readonly<{ error: unknown }> {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <ErrorNote error={error}>
        <button type="button" onClick={() => window.location.reload()}>
          Load the page again
        </button>
      </ErrorNote>
    );
  }
}
