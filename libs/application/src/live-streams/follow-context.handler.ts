import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type EventsResult, ListedEvents } from '../reading/listed-events.js';
import { AuthorizedContextReader, type SharedRead } from '../reading/authorized-context-reader.js';
import { isFirstEpoch } from '../runs/store-clock.js';
import { type ContextCursor, parseContextCursor, formatContextCursor } from './context-cursor.js';
import {
  FollowContextQuery,
  type LiveStream,
  type ResetReason,
  type StreamFrame,
} from './live-stream.messages.js';
import { type FrameSource, LiveStreams } from './live-streams.js';
import { type OpenStream } from './open-stream.js';
import { revealsEarlier } from './revealing-events.js';
import { type StreamMark, resetReasonFor, markOf } from './stream-mark.js';
import { StreamWaits } from './stream-waits.js';

const headOnly = { keys: [], bodies: false };
/** The limits of one read for a stream; the page is in memory until the client has received it. */
const page = { limit: 100, maxPageBytes: 262_144 };

type Request = FollowContextQuery['request'];
type NewestVersion = () => number;

@QueryHandler(FollowContextQuery)
export class FollowContextHandler implements IQueryHandler<FollowContextQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly waits: StreamWaits,
    private readonly streams: LiveStreams,
  ) {}

  execute({ request }: FollowContextQuery): Promise<LiveStream> {
    return this.streams.open(request, (stream) => this.#begin(request, stream));
  }

  async #begin(request: Request, stream: OpenStream): Promise<FrameSource> {
    const { workspace } = request.principal;
    const { contextId } = request;
    const { newest, leave } = await this.waits.follow({ workspace, contextId });
    try {
      const cursor = parseContextCursor(request.lastEventId ?? request.after);
      const after = cursor?.version ?? 0;
      const first = await this.#read(request, stream, after);
      const { epoch } = stream.access;
      const mark = markOf(isFirstEpoch(epoch) ? [] : [epoch], first.tag);
      if (!cursor) return { frames: resetWith('unknown-id'), leave };
      const change = changeSince(cursor, mark, request);
      if (change) return { frames: resetWith(change), leave };
      const reader = new StreamReader(stream, { after, mark, first });
      const newestVersion = () => newest()?.version ?? 0;
      return { frames: this.#frames(request, reader, newestVersion), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async *#frames(
    request: Request,
    reader: StreamReader,
    newest: NewestVersion,
  ): AsyncGenerator<StreamFrame, void> {
    const { stream } = reader;
    const shared = this.contexts.shared(request);
    for (let found = reader.takeFirst(); found;) {
      yield* reader.frames(found);
      if (this.waits.stopping || stream.signal.aborted) return;
      const { next, version } = found;
      // Releases the sent page while the stream waits.
      found = undefined;
      found =
        next === undefined
          ? await this.#wait(request, shared, { reader, version, newest })
          : await this.#read(request, stream, next);
    }
  }

  /** A page of history, with the permissions of the request. */
  #read(request: Request, { signal }: OpenStream, after: number): Promise<EventsResult> {
    return new ListedEvents(this.contexts.filteredReader, { after, ...page }).scan(
      () => this.contexts.read({ ...request, signal }, headOnly),
      () => false,
    );
  }

  /** Waits for events after `after`. Streams of the same audience that have sent the same events share the read. */
  #wait(
    { principal, contextId }: Request,
    shared: SharedRead,
    {
      reader: { stream, after },
      version,
      newest,
    }: Readonly<{ reader: StreamReader; version: number; newest: NewestVersion }>,
  ): Promise<EventsResult> {
    const reading = () => {
      const events = new ListedEvents(this.contexts.filteredReader, { after, ...page });
      return (goOn: (soFar: EventsResult) => boolean) =>
        events.scan(() => shared.read(headOnly), goOn);
    };
    return this.waits.next(
      stream,
      {
        name: `stream ${shared.name} ${after}`,
        of: { workspace: principal.workspace, contextId },
        awaited: { types: 'any', after },
        read: reading(),
        hasAnswer: ({ page: { items } }) => items.length > 0,
      },
      {
        own: () => reading()(() => !stream.signal.aborted),
        isOwn: ({ page: { items }, next }) => items.length > 0 || next === undefined,
        isCurrent: () => newest() <= version,
      },
    );
  }
}

/** Converts pages of events to the frames of one stream, and tracks what the stream has sent. */
class StreamReader {
  /** The last version that was sent. */
  after: number;
  #first: EventsResult | undefined;
  readonly #tag: EventsResult['tag'];
  readonly #mark: StreamMark;
  /** The client has everything that was visible as of this version. */
  readonly #baseline: number;
  #isUpToDate = false;

  constructor(
    readonly stream: OpenStream,
    { after, mark, first }: Readonly<{ after: number; mark: StreamMark; first: EventsResult }>,
  ) {
    this.after = after;
    this.#first = first;
    this.#tag = first.tag;
    this.#mark = mark;
    this.#baseline = after > 0 ? after : first.version;
  }

  /** The page that the stream begins with, once. */
  takeFirst(): EventsResult | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first;
  }

  /** Sends nothing, and waits for the end of the stream, if the page was read under another policy. */
  async *frames(found: EventsResult): AsyncGenerator<StreamFrame, void> {
    if (found.tag !== this.#tag) return this.stream.ended();
    if (found.version < this.after) return this.stream.endWithReset('beyond-head');
    for (const data of found.page.items) {
      const version = Number(data['version']);
      if (version > this.#baseline && revealsEarlier(found.filter, String(data['type'])))
        return this.stream.endWithReset('visibility');
      this.after = version;
      yield { type: 'event', id: formatContextCursor(version, this.#mark), data };
    }
    if (this.#isUpToDate || found.next !== undefined) return undefined;
    this.#isUpToDate = true;
    yield { type: 'up-to-date' };
  }
}

/**
 * Why a stream with the mark `mark` cannot continue after the cursor. A cursor without a mark is valid as `after`. As the id of
 * the last event it is valid only in the first epoch of the store, in which ids have no mark.
 */
function changeSince(
  cursor: ContextCursor,
  mark: StreamMark,
  { lastEventId }: Request,
): ResetReason | undefined {
  if (cursor.mark !== undefined) return resetReasonFor(cursor.mark, mark);
  return lastEventId !== undefined && mark.store !== '' ? 'epoch' : undefined;
}

async function* resetWith(
  reason: Extract<StreamFrame, { type: 'reset' }>['reason'],
): AsyncGenerator<StreamFrame, void> {
  yield { type: 'reset', reason };
}
