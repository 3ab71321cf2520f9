import { Command, Query } from '@nestjs/cqrs';

import { type ChainBreak } from '#event-sourcing';

import { type Principal } from '../access/principal.js';

type ContextRequest = Readonly<{ principal: Principal; contextId: string; signal?: AbortSignal }>;

/**
 * `events`: the number of intact events; `lastHash`: the hash of the last of them; `broken`: the first event that is
 * not intact.
 */
export type ChainVerdict = Readonly<{
  contextId: string;
  events: number;
  lastHash: string | null;
  broken: ChainBreak | null;
}>;

/** Checks the hash chain of a context from its first event on. */
export class VerifyContextQuery extends Query<ChainVerdict> {
  constructor(readonly request: ContextRequest) {
    super();
  }
}

/** Yields the lines of the export in chunks; the hash chain is checked on the way. */
export class ExportContextQuery extends Query<AsyncIterable<string>> {
  constructor(readonly request: ContextRequest) {
    super();
  }
}

export type ImportedContext = Readonly<{
  contextId: string;
  version: number;
  /** The number of events that this request stored. */
  imported: number;
  /** The number of events that were already stored. */
  skipped: number;
  /** Whether the events are signed by this server or by one that it trusts. */
  signed: boolean;
}>;

/**
 * `text` is a complete file of events. `as`: the id under which to store the context of a file with a single context.
 */
export class ImportEventsCommand extends Command<readonly ImportedContext[]> {
  constructor(
    readonly request: Readonly<{ principal: Principal; text: string; as: string | undefined }>,
  ) {
    super();
  }
}
