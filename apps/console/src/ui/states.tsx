import { type ReactNode } from 'react';

import { Problem } from '../api/problem.js';

/** What is shown instead of data that is not there yet: the reason, if reading failed. */
export function Loading({
  of,
}: Readonly<{ of: Readonly<{ error: Error | null; refetch: () => Promise<unknown> }> }>) {
  if (!of.error)
    return (
      <p className="muted" role="status">
        Loading …
      </p>
    );
  return (
    <ErrorNote error={of.error}>
      <button type="button" onClick={() => void of.refetch()}>
        Try again
      </button>
    </ErrorNote>
  );
}

/** A failed request: its title and what to do. */
export function ErrorNote({ error, children }: Readonly<{ error: unknown; children?: ReactNode }>) {
  const isProblem = error instanceof Problem;
  return (
    <div role="alert" className="fault">
      <strong>{isProblem ? error.title : 'Something failed'}</strong>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {children}
    </div>
  );
}

/** An empty state: what would be here, and the next step. */
export function Empty({ title, children }: Readonly<{ title: string; children?: ReactNode }>) {
  return (
    <section className="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
