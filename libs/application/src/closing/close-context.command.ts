import { Command } from '@nestjs/cqrs';

import { type ClientPayload, type Visibility } from '#shared-context';

import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

/** `kind` as documents and views name it, `ref` as views and items do. */
type OpenWork = Readonly<{ kind: string; ref: string }>;

/**
 * `open`: null if the closing is stored, and what is open could not be read. `openTotal`: how many there are, if they are more
 * than are listed.
 */
export type StillOpen = Readonly<{ open: OpenWork[] | null; openTotal?: number }>;

export type CloseContextAnswer = Readonly<{ write: WriteAnswer; stillOpen: StillOpen }>;

/** Closes a context, and answers what is open in it as far as the writer sees it. */
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
