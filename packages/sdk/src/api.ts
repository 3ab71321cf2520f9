import type * as Api from './generated/api-types.js';

/** The body of a request without the agent, which the client states; `basedOn` becomes a header. */
export type Stated<Data extends { body?: unknown }> = NonNullable<Data['body']> &
  Readonly<{ basedOn?: string | undefined; agentId?: string }>;

/** The query of a request; members that are undefined are left out. */
export type QueryOf<Data extends { query?: unknown }> = {
  readonly [Name in keyof NonNullable<Data['query']>]?:
    | NonNullable<Data['query']>[Name]
    | undefined;
};

/** A read of a version, or as of an RFC 3339 time with offset. */
export type AsOf<Query> = Omit<Query, 'asOf'> & Readonly<{ asOf?: number | string | undefined }>;

export type Page<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;

export type ContextDocument = Api.GetContextResponse;
export type StoredEvent = Api.ListEventsResponse['items'][number];
/** `cursor` is that of the feed behind this event. */
export type FeedEvent = Api.ReadFeedResponse['items'][number] & Readonly<{ cursor: string }>;
/** An event that clients may append. */
export type ClientEvent = Api.AppendEventsData['body']['events'][number];
/** What a write has stored; `events` is empty if there was nothing to add. */
export type Written = Api.AppendEventsResponse;
export type View = Api.GetViewResponse;
export type ViewItem = Api.GetViewItemResponse;
export type Prompt = Api.RenderPromptResponse;
export type Changes = Api.ListChangesResponse;
export type ContextSummary = Api.ListContextsResponse['items'][number];
export type Decision = Api.ListDecisionsResponse['items'][number];
export type StepOutput = NonNullable<Api.GetStepOutputResponse>;
export type Run = Api.GetRunResponse;
export type Approval = Api.ListApprovalsResponse['items'][number];
export type Me = Api.GetMeResponse;
/** What a worker is given for one attempt of a step, with the token by which it reports. */
export type ClaimedWork = Exclude<Api.ClaimWorkResponse, void>;
/** What a worker is given for one attempt of a step. */
export type WorkEnvelope = Omit<ClaimedWork, 'attemptToken'>;

export type { Api };
