import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type EventStore, type Position } from '#event-sourcing';

import { FeedPages } from '../history/feed-pages.js';
import { type FeedPage } from '../history/feed-scan.js';
import { EVENT_STORE } from '../tokens.js';
import {
  FollowWorkspaceQuery,
  type LiveStream,
  type ResetReason,
  type StreamFrame,
} from './live-stream.messages.js';
import { type FrameSource, LiveStreams } from './live-streams.js';
import { type OpenStream } from './open-stream.js';
import { type StreamMark, resetReasonFor, markOf } from './stream-mark.js';
import { StreamWaits } from './stream-waits.js';
import { parseWorkspaceCursor, formatWorkspaceCursor } from './workspace-cursor.js';

/** The limits of one read for a stream; the page is in memory until the client has received it. */
const page = { limit: 100, maxBytes: 262_144 };

type Request = FollowWorkspaceQuery['request'];
type NewestPosition = () => Position | undefined;
type Start = Readonly<{ after: Position | 'start' }> | Readonly<{ reset: ResetReason }>;

@QueryHandler(FollowWorkspaceQuery)
export class FollowWorkspaceHandler implements IQueryHandler<FollowWorkspaceQuery> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly pages: FeedPages,
    private readonly waits: StreamWaits,
    private readonly streams: LiveStreams,
  ) {}

  async execute({ request }: FollowWorkspaceQuery): Promise<LiveStream> {
    this.pages.requireReader(request.principal);
    return this.streams.open(request, (stream) => this.#begin(request, stream));
  }

  async #begin(request: Request, stream: OpenStream): Promise<FrameSource> {
    const { workspace } = request.principal;
    const { newest, leave } = await this.waits.follow({ workspace });
    try {
      const mark = markOf([await this.store.identity(), stream.access.epoch], null);
      const start = await this.#startOf(request, mark);
      if ('reset' in start) return { frames: resetWith(start.reset), leave };
      const first = await this.#read(request, start.after);
      const options = { request, stream, mark, newest: () => newest()?.position };
      return { frames: this.#frames({ first }, options), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** An unknown `lastEventId` leads to a reset instead of a refusal, because clients repeat it automatically. */
  async #startOf({ after, lastEventId }: Request, mark: StreamMark): Promise<Start> {
    const cursor = parseWorkspaceCursor(lastEventId ?? after);
    if (!cursor)
      return lastEventId === undefined
        ? { after: await this.pages.resolvePosition(after) }
        : { reset: 'unknown-id' };
    const change = resetReasonFor(cursor.mark, mark);
    if (change) return { reset: change };
    const place = await this.pages.findPosition(cursor.position);
    return place === undefined ? { reset: 'beyond-head' } : { after: place };
  }

  /** Removes the first page from `start`, so that the sent page is released while the stream waits. */
  async *#frames(
    start: { first: FeedPage | undefined },
    {
      request,
      stream,
      mark,
      newest,
    }: Readonly<{
      request: Request;
      stream: OpenStream;
      mark: StreamMark;
      newest: NewestPosition;
    }>,
  ): AsyncGenerator<StreamFrame, void> {
    let isUpToDate = false;
    let found = start.first;
    start.first = undefined;
    while (found) {
      for (const data of found.items)
        yield { type: 'event', id: formatWorkspaceCursor(String(data['position']), mark), data };
      if (found.atEnd && !isUpToDate) {
        isUpToDate = true;
        yield upToDateAt(found.next, mark);
      }
      if (this.waits.stopping || stream.signal.aborted) return;
      const { atEnd, next: after } = found;
      found = undefined;
      found = atEnd
        ? await this.#wait(request, stream, { after, newest })
        : await this.#read(request, after);
    }
  }

  #read({ principal }: Request, after: Position | 'start'): Promise<FeedPage> {
    return this.pages.read(principal, { after, ...page });
  }

  /** Waits for events after `after`. Streams of the same reach that have sent the same events share the read. */
  #wait(
    request: Request,
    stream: OpenStream,
    { after, newest }: Readonly<{ after: FeedPage['next']; newest: NewestPosition }>,
  ): Promise<FeedPage> {
    const { principal } = request;
    const read = () => this.#read(request, after);
    return this.waits.next(
      stream,
      {
        name: `stream of feed ${this.pages.nameOf(principal)} ${after}`,
        of: { workspace: principal.workspace },
        awaited: { types: 'any' },
        read,
        hasAnswer: ({ items, atEnd }) => items.length > 0 || !atEnd,
      },
      {
        own: read,
        isOwn: () => true,
        isCurrent: () => this.store.comparePositions(newest() ?? 'start', after) <= 0,
      },
    );
  }
}

/** The frame has an id, so that a client that began at the head can continue if the connection ends before the first event. */
function upToDateAt(position: FeedPage['next'], mark: StreamMark): StreamFrame {
  return position === 'start'
    ? { type: 'up-to-date' }
    : { type: 'up-to-date', id: formatWorkspaceCursor(String(position), mark) };
}

async function* resetWith(reason: ResetReason): AsyncGenerator<StreamFrame, void> {
  yield { type: 'reset', reason };
}
