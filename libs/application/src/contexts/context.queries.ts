import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type AttentionReason } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';
import { type DocumentText } from '../reading/document-text.js';
import { type AsOf, type Notes, type SnapshotTag } from '../reading/snapshot-tag.js';

type ContextRequest = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  /** Default: the first audience of the key. */
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** A document that lists children changes without a new version of the parent. */
type ParentFlag = Readonly<{ isParent: boolean }>;

type DocumentRequest = ContextRequest &
  Readonly<{
    /** Sorted, unique names of members; default: all. */
    parts?: readonly string[] | undefined;
  }>;

/**
 * The document of a context, and its JSON text, to which the receipt refers; in pieces if the context is large.
 * `version` is that of the ETag.
 */
export class FindContextQuery extends Query<
  SnapshotTag &
    ParentFlag &
    Notes &
    Readonly<{ document: JsonObject; text: string | DocumentText; receipt: string }>
> {
  constructor(readonly request: DocumentRequest) {
    super();
  }
}

/** Only the current version, which a conditional read needs to answer 304. */
export class FindVersionQuery extends Query<SnapshotTag & ParentFlag> {
  constructor(readonly request: Omit<DocumentRequest, 'asOf'>) {
    super();
  }
}

/** The latest output of a step, or null if it has none; waits up to `waitSeconds` for the first one. */
export class FindStepOutputQuery extends Query<
  SnapshotTag & Readonly<{ output: JsonObject | null }>
> {
  constructor(
    readonly request: ContextRequest & Readonly<{ stepId: string; waitSeconds?: number }>,
  ) {
    super();
  }
}

/** Every output of a step, oldest first. */
export class ListStepOutputsQuery extends Query<
  SnapshotTag & Readonly<{ page: Page<JsonObject> }>
> {
  constructor(readonly request: ContextRequest & PageRequest & Readonly<{ stepId: string }>) {
    super();
  }
}

export class ListDecisionsQuery extends Query<SnapshotTag & Readonly<{ page: Page<JsonObject> }>> {
  constructor(
    readonly request: ContextRequest &
      PageRequest &
      Readonly<{ live?: boolean | undefined; topic?: string | undefined }>,
  ) {
    super();
  }
}

export class ListArtifactsQuery extends Query<SnapshotTag & Readonly<{ page: Page<JsonObject> }>> {
  constructor(readonly request: ContextRequest & PageRequest) {
    super();
  }
}

/** Events as stored, oldest first, after version `after` and up to `asOf`. */
export class ListEventsQuery extends Query<SnapshotTag & Readonly<{ page: Page<JsonObject> }>> {
  constructor(
    readonly request: ContextRequest &
      PageRequest &
      Readonly<{
        after: number;
        types?: readonly string[] | undefined;
        /** The time to wait for the first event, if there is none yet and no `asOf`. */
        waitSeconds?: number | undefined;
      }>,
  ) {
    super();
  }
}

/** Contexts of the workspace, newest first. `lag`: the number of events that the projection is behind. */
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
      /** Only open contexts that need a person for one of these reasons; their rows then have all their reasons. */
      attention?: readonly AttentionReason[] | undefined;
      /** Words that the document must contain. */
      q?: string | undefined;
      /** A part that the document must contain, in the shape of a document. */
      contains?: JsonObject | undefined;
      signal?: AbortSignal | undefined;
    }> &
      PageRequest,
  ) {
    super();
  }
}
