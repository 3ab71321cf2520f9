import { Command, Query } from '@nestjs/cqrs';

import { type ClaimedOrigin, type NamedText, type ReadingNote } from '#interop';

import { type Principal } from '../access/principal.js';
import { type AsOf } from '../reading/snapshot-tag.js';

export type DocumentsToImport = Readonly<{
  principal: Principal;
  /** A format of documents that can be imported. */
  format: string;
  /** All of them belong to one context. */
  documents: readonly NamedText[];
  /** The context to create or to extend; default: the id that the documents state. */
  as?: string | undefined;
  /** Whether to decide the import without storing it. */
  dryRun: boolean;
  /**
   * Whether to register the agents and transformations that the documents define as well; for administrators of the
   * workspace.
   */
  register: boolean;
  /** The author and the time of events for which the documents state neither. */
  claim?: ClaimedOrigin | undefined;
  /** The number of the first line in its file, if the text is a portion of a larger file. */
  firstLine?: number | undefined;
}>;

/** The result of an import, or of a dry run. */
export type DocumentsImported = Readonly<{
  contextId: string;
  /** The version of the context after the import. */
  version: number;
  created: boolean;
  /** The number of stored events. */
  imported: number;
  /** The number of events that an interrupted attempt of the same import had stored. */
  skipped: number;
  /** The new events by type. */
  events: Readonly<Record<string, number>>;
  notes: readonly ReadingNote[];
  registered: readonly string[];
}>;

/** Imports documents as a context. A repetition completes an interrupted import, and otherwise adds nothing. */
export class ImportDocumentsCommand extends Command<DocumentsImported> {
  constructor(readonly request: DocumentsToImport) {
    super();
  }
}

/** `notCarried`: the parts of the context that the format cannot express. */
export type DocumentsExported = Readonly<{
  documents: readonly NamedText[];
  mediaType: string;
  notCarried: readonly string[];
}>;

/** Exports the visible parts of a context as documents of a format. */
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
