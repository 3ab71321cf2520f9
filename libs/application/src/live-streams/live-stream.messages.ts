import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type Principal } from '../access/principal.js';

/**
 * Why a client must read the stream again from the start. `audience`: the policy of its audience has changed, or the id is that
 * of another reader; `visibility`: an event has made earlier events visible to the audience; `beyond-head`: the store does not
 * contain the last event of the client; `epoch`: the store was restored or replaced; `unknown-id`: the id is not one of this
 * stream.
 */
export type ResetReason = 'audience' | 'visibility' | 'beyond-head' | 'epoch' | 'unknown-id';

/** `data` is the same object for all streams that share a read. */
export type StreamFrame =
  | Readonly<{ type: 'event'; id: string; data: JsonObject }>
  /** `id`: the position at the end of history, if the stream has ids for positions without an event. */
  | Readonly<{ type: 'up-to-date'; id?: string }>
  | Readonly<{ type: 'reset'; reason: ResetReason }>;

/** A stream that counts as open until it ends, its signal is aborted, or `close` is called. */
export type LiveStream = Readonly<{
  /** Ends without a `reset` if the server stops or the key ends: a client can then continue after the id of the last event. */
  frames: AsyncGenerator<StreamFrame, void>;
  /** Aborted when the stream must end: then send only frames that need no waiting. */
  signal: AbortSignal;
  close: () => void;
}>;

/** `lastEventId` takes precedence over `after`, which is exclusive. `signal`: aborts when the client disconnects. */
type FollowRequest = Readonly<{
  principal: Principal;
  lastEventId: string | undefined;
  signal: AbortSignal;
}>;

/** Streams the events of a context as {@link ListEventsQuery} lists them, and continues with new events. */
export class FollowContextQuery extends Query<LiveStream> {
  constructor(
    readonly request: FollowRequest &
      Readonly<{ contextId: string; audience?: string | undefined; after: string }>,
  ) {
    super();
  }
}

/**
 * Streams the events of a workspace as {@link ReadFeedQuery} lists them, and continues with new events. `after` may also be
 * `start` or `head`.
 */
export class FollowWorkspaceQuery extends Query<LiveStream> {
  constructor(readonly request: FollowRequest & Readonly<{ after: string }>) {
    super();
  }
}
