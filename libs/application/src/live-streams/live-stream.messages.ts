import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type Principal } from '../access/principal.js';

/**
 * Why a follower has to begin anew: `audience`: the policy of its audience has changed, or it follows as somebody else; `visibility`: an
 * event has changed which earlier events the audience sees; `beyond-head`: what it read last is not in this store; `epoch`: the store was
 * restored or replaced; `unknown-id`: the id is none of this stream.
 */
export type ResetReason = 'audience' | 'visibility' | 'beyond-head' | 'epoch' | 'unknown-id';

/** `data` is the same object for all streams that share a read. */
export type StreamFrame =
  | Readonly<{ type: 'event'; id: string; data: JsonObject }>
  /** `id` if the place at the end of history has one. */
  | Readonly<{ type: 'up-to-date'; id?: string }>
  | Readonly<{ type: 'reset'; reason: ResetReason }>;

/** A stream that has a place among the open ones until it ends, its signal is aborted, or `close` is called. */
export type LiveStream = Readonly<{
  /** Ends without a `reset` when the server stops or the key ends: the id of the last event then leads on. */
  frames: AsyncGenerator<StreamFrame, void>;
  /** Aborted once nothing more is to be sent, unless it can be sent at once. */
  signal: AbortSignal;
  close: () => void;
}>;

/** `after`: exclusive. `lastEventId` wins over it. `signal`: of the client. */
type Followed = Readonly<{
  principal: Principal;
  lastEventId: string | undefined;
  signal: AbortSignal;
}>;

/** The events of a context as {@link ListEventsQuery} lists them, those to come included. */
export class FollowContextQuery extends Query<LiveStream> {
  constructor(
    readonly request: Followed &
      Readonly<{ contextId: string; audience?: string | undefined; after: string }>,
  ) {
    super();
  }
}

/** The events of a workspace as {@link ReadFeedQuery} lists them, those to come included. `after`: also `start` and `head`. */
export class FollowWorkspaceQuery extends Query<LiveStream> {
  constructor(readonly request: Followed & Readonly<{ after: string }>) {
    super();
  }
}
