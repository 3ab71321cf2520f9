import { Command, Query } from '@nestjs/cqrs';

import { type ChainBreak } from '#event-sourcing';

import { type Principal } from '../access/principal.js';

type OfContext = Readonly<{ principal: Principal; contextId: string; signal?: AbortSignal }>;

/** `events` were found whole, the last of them with `lastHash`; `broken` is the first that is not. */
export type ChainVerdict = Readonly<{
  contextId: string;
  events: number;
  lastHash: string | null;
  broken: ChainBreak | null;
}>;

/** Walks the hash chain of a context from its first event on. */
export class VerifyContextQuery extends Query<ChainVerdict> {
  constructor(readonly request: OfContext) {
    super();
  }
}

/** The lines of the export, some at a time; its chain is checked as they are made. */
export class ExportContextQuery extends Query<AsyncIterable<string>> {
  constructor(readonly request: OfContext) {
    super();
  }
}

export type ImportedContext = Readonly<{
  contextId: string;
  version: number;
  /** Events of the request that are stored now. */
  imported: number;
  /** Events of the request that were here already. */
  skipped: number;
  /** Whether this server or one that it trusts has signed them. */
  signed: boolean;
}>;

/** `text` is a whole file of events; `as` names another context for the one context it holds. */
export class ImportEventsCommand extends Command<readonly ImportedContext[]> {
  constructor(
    readonly request: Readonly<{ principal: Principal; text: string; as: string | undefined }>,
  ) {
    super();
  }
}
