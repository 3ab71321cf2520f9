import { Command, Query } from '@nestjs/cqrs';

import { type ClaimedOrigin, type NamedText, type ReadingNote } from '#interop';

import { type Principal } from '../access/principal.js';
import { type AsOf } from '../reading/snapshot-tag.js';

export type DocumentsToImport = Readonly<{
  principal: Principal;
  /** A format of documents that can be imported. */
  format: string;
  /** They become one context. */
  documents: readonly NamedText[];
  /** The context to create or to go on with; default: the id that the documents state. */
  as?: string | undefined;
  /** Decides everything and stores nothing. */
  dryRun: boolean;
  /** Also registers the agents and transformations that the documents define; for administrators of the workspace. */
  register: boolean;
  /** Whose work events are said to be, and when, of which the documents state neither. */
  claim?: ClaimedOrigin | undefined;
  /** The number in its file of the first line, if the text is a portion of a larger file. */
  firstLine?: number | undefined;
}>;

/** What an import came to, or would come to if it is a dry run. */
export type DocumentsImported = Readonly<{
  contextId: string;
  /** Of the context, behind the import. */
  version: number;
  created: boolean;
  /** Events that it stored. */
  imported: number;
  /** Events of the same import that were stored before, when it broke off. */
  skipped: number;
  /** The new events by type. */
  events: Readonly<Record<string, number>>;
  notes: readonly ReadingNote[];
  registered: readonly string[];
}>;

/** Takes documents in as a context; repeated, it completes an import that broke off and adds nothing otherwise. */
export class ImportDocumentsCommand extends Command<DocumentsImported> {
  constructor(readonly request: DocumentsToImport) {
    super();
  }
}

/** `notCarried`: what of the context the format has no place for. */
export type DocumentsExported = Readonly<{
  documents: readonly NamedText[];
  mediaType: string;
  notCarried: readonly string[];
}>;

/** A context as documents of a format: of what the audience sees. */
export class ExportDocumentsQuery extends Query<DocumentsExported> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      contextId: string;
      format: string;
      audience?: string | undefined;
      asOf?: AsOf;
      signal?: AbortSignal | undefined;
    }>,
  ) {
    super();
  }
}
