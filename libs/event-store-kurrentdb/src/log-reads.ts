import { type ResolvedEvent, BACKWARDS, END, FORWARDS } from '@eventstore/db-client';

import { type Position } from '#event-sourcing';

import { type Call } from './answer-within.js';
import { StreamNotFoundError } from './call-failure.js';
import { type FilteredRead, readFiltered } from './filtered-read.js';
import { type LogSearch, type LogPosition } from './log-head.js';
import { type Namespace } from './namespace.js';
import { asPosition, comparePositions, toClientPosition } from './position.js';
import { type Keeping } from './read-events.js';
import { type Reads } from './reads.js';

/** Followers may lag: these reads require the leader, and any other node refuses them. */
export const fresh = { requiresLeader: true } as const;

/** Reads of the whole log, from which the server omits foreign events. */
export class LogReads {
  constructor(
    private readonly reads: Reads,
    private readonly names: Namespace,
    private readonly answerLimitMs: number,
  ) {}

  readOurs<T>(
    over: AbortSignal,
    range: Omit<FilteredRead, 'prefix'>,
    keeping: Keeping<T> | (() => Keeping<T>),
  ): Promise<T[]> {
    const { prefix } = this.names;
    const open = (call: Call) => {
      this.#probe(call);
      return readFiltered(call.client, { prefix, ...range });
    };
    return this.reads.read(over, open, keeping);
  }

  /** The queries for the head of the log, until `over` aborts. */
  searchUntil(over: AbortSignal): LogSearch {
    return {
      newest: async () => (await this.reads.read(over, newestOf, { keep: logPositionOf }))[0],
      newestOfOurs: async () => {
        const range = { from: END, direction: BACKWARDS, maxCount: 1 } as const;
        const keeping = { keep: positionOf, isLast: () => true };
        return (await this.readOurs(over, range, keeping))[0];
      },
      oursBehind: async (position, limit) => {
        const maxCount = limit + 1;
        const from = toClientPosition(position);
        const found = await this.readOurs(
          over,
          { from, direction: FORWARDS, maxCount },
          { keep: positionOf, isLast: (_, count) => count === maxCount },
        );
        const isBehind = (at: Position | undefined) => at && comparePositions(at, position) > 0;
        return found.flatMap((at) => (isBehind(at) ? (at ?? []) : [])).slice(0, limit);
      },
    };
  }

  /**
   * The server sends no data while it examines foreign events. In the meantime, reads of one small event show whether
   * it is alive.
   */
  #probe(call: Call): void {
    const timer = setInterval(() => {
      const options = { ...fresh, maxCount: 1 };
      const asking = call.client.readStream(this.names.identityStream, options);
      asking.once('data', call.heard);
      // A missing stream is an answer, too. If the server is down, the search itself fails.
      asking.on('error', (error) => error instanceof StreamNotFoundError && call.heard());
    }, this.answerLimitMs / 2);
    call.left.addEventListener('abort', () => clearInterval(timer));
  }
}

const newestOf = ({ client }: Call) =>
  client.readAll({ ...fresh, direction: BACKWARDS, fromPosition: END, maxCount: 1 });

function logPositionOf({ event }: ResolvedEvent): LogPosition | undefined {
  return event?.position && { stream: event.streamId, position: event.position };
}

function positionOf({ event }: ResolvedEvent): Position | undefined {
  return event?.position && asPosition(event.position);
}
