import type * as Api from './generated/api-types.js';

/** The body of a write. The client adds `agentId` by default; `basedOn` is sent as a header. */
export type WriteBody<Data extends { body?: unknown }> = NonNullable<Data['body']> &
  Readonly<{ basedOn?: string | undefined; agentId?: string }>;

/** The query of a request; undefined members are omitted. */
export type QueryOf<Data extends { query?: unknown }> = {
  readonly [Name in keyof NonNullable<Data['query']>]?:
    | NonNullable<Data['query']>[Name]
    | undefined;
};

/** A query with `asOf`: a version or an RFC 3339 time with offset. */
export type AsOf<Query> = Omit<Query, 'asOf'> & Readonly<{ asOf?: number | string | undefined }>;

export type Page<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;

export type ContextDocument = Api.GetContextResponse;
export type StoredEvent = Api.ListEventsResponse['items'][number];
/** An event of the stream of a context; the stream continues after `cursor`. */
export type TailEvent = StoredEvent & Readonly<{ cursor: string }>;
/** An event of the feed, which continues after `cursor`. */
export type FeedEvent = Api.ReadFeedResponse['items'][number] & Readonly<{ cursor: string }>;
/** An event that clients may append. */
export type ClientEvent = Api.AppendEventsData['body']['events'][number];
/** The result of a write; `events` is empty if nothing was stored. */
export type WriteResult = Api.AppendEventsResponse;
export type View = Api.GetViewResponse;
export type ViewItem = Api.GetViewItemResponse;
export type Prompt = Api.RenderPromptResponse;
export type Changes = Api.ListChangesResponse;
export type ContextSummary = Api.ListContextsResponse['items'][number];
export type Decision = Api.ListDecisionsResponse['items'][number];
export type StepOutput = NonNullable<Api.GetStepOutputResponse>;
export type Run = Api.GetRunResponse;
export type Approval = Api.ListApprovalsResponse['items'][number];
export type PrincipalInfo = Api.GetMeResponse;
/** The input of a worker for one attempt of a step, with the token for its report. */
export type ClaimedWork = Exclude<Api.ClaimWorkResponse, void>;
/** The input of a worker for one attempt of a step. */
export type WorkEnvelope = Omit<ClaimedWork, 'attemptToken'>;

export type { Api };
