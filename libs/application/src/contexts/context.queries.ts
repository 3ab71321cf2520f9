import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';
import { type DocumentText } from '../reading/document-text.js';
import { type AsOf, type Notes, type SnapshotTag } from '../reading/snapshot-tag.js';

type OfContext = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  /** Left out, the first the key is bound to. */
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** What the document of a parent says of its children changes without a new version of the parent. */
type Parenthood = Readonly<{ isParent: boolean }>;

type OfDocument = OfContext &
  Readonly<{
    /** Which members, sorted, each once; left out, all. */
    parts?: readonly string[] | undefined;
  }>;

/**
 * The document of contract.md, and its JSON text, which the receipt is of, in pieces if the context is large; `version` is
 * what the ETag says.
 */
export class FindContextQuery extends Query<
  SnapshotTag &
    Parenthood &
    Notes &
    Readonly<{ document: JsonObject; text: string | DocumentText; receipt: string }>
> {
  constructor(readonly request: OfDocument) {
    super();
  }
}

/** Only the current version: what a conditional read needs to answer 304. */
export class FindVersionQuery extends Query<SnapshotTag & Parenthood> {
  constructor(readonly request: Omit<OfDocument, 'asOf'>) {
    super();
  }
}

/** The latest output of a step, or null while it has none; waits up to `waitSeconds` for the first. */
export class FindStepOutputQuery extends Query<
  SnapshotTag & Readonly<{ output: JsonObject | null }>
> {
  constructor(readonly request: OfContext & Readonly<{ stepId: string; waitSeconds?: number }>) {
    super();
  }
}

/** Every output of a step, oldest first. */
export class ListStepOutputsQuery extends Query<
  SnapshotTag & Readonly<{ page: Page<JsonObject> }>
> {
  constructor(readonly request: OfContext & PageRequest & Readonly<{ stepId: string }>) {
    super();
  }
}

export class ListDecisionsQuery extends Query<SnapshotTag & Readonly<{ page: Page<JsonObject> }>> {
  constructor(
    readonly request: OfContext &
      PageRequest &
      Readonly<{ live?: boolean | undefined; topic?: string | undefined }>,
  ) {
    super();
  }
}

export class ListArtifactsQuery extends Query<SnapshotTag & Readonly<{ page: Page<JsonObject> }>> {
  constructor(readonly request: OfContext & PageRequest) {
    super();
  }
}

/** Events as stored, oldest first, behind version `after`; `asOf` bounds them. */
export class ListEventsQuery extends Query<SnapshotTag & Readonly<{ page: Page<JsonObject> }>> {
  constructor(
    readonly request: OfContext &
      PageRequest &
      Readonly<{
        after: number;
        types?: readonly string[] | undefined;
        /** How long to wait for the first one, where there is none yet and no `asOf`. */
        waitSeconds?: number | undefined;
      }>,
  ) {
    super();
  }
}

/** Contexts of the workspace, newest first. `lag`: events the projection is behind. */
export class ListContextsQuery extends Query<
  Readonly<{ page: Page<JsonObject>; lag: number | null }>
> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      status?: string | undefined;
      workflow?: string | undefined;
      parent?: string | undefined;
      agent?: string | undefined;
      updatedSince?: string | undefined;
      /** Words of its document. */
      q?: string | undefined;
      /** Part of its document, in its shape. */
      contains?: JsonObject | undefined;
      signal?: AbortSignal | undefined;
    }> &
      PageRequest,
  ) {
    super();
  }
}
