import { Command } from '@nestjs/cqrs';

import { type ClientPayload, type Visibility } from '#shared-context';

import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

/** `kind` is named as in documents and views, `ref` as in views and items. */
type OpenWork = Readonly<{ kind: string; ref: string }>;

/**
 * `open`: the open work; null if it could not be read after the closing was stored. `openTotal`: the number of open
 * items, if they are more than the listed ones.
 */
export type StillOpen = Readonly<{ open: OpenWork[] | null; openTotal?: number }>;

export type CloseContextAnswer = Readonly<{ write: WriteAnswer; stillOpen: StillOpen }>;

/** Closes a context, and returns its open work as far as the writer sees it. */
export class CloseContextCommand extends Command<CloseContextAnswer> {
  constructor(
    readonly request: Omit<WriteRequest, 'commands' | 'batch' | 'refusal'> &
      Readonly<{
        data: ClientPayload<'ContextClosed'>;
        visibility?: Visibility | undefined;
        /** Cancels an active run first. */
        cancelRun?: boolean | undefined;
      }>,
  ) {
    super();
  }
}
