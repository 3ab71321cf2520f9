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

/** Followers may lag: what must be fresh is asked of the leader, and a node that is none refuses. */
export const fresh = { requiresLeader: true } as const;

/** Reads of the whole log: what others wrote stays on the server. */
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
      this.#listenBeside(call);
      return readFiltered(call.client, { prefix, ...range });
    };
    return this.reads.read(over, open, keeping);
  }

  /** What the head of the log is found by, until nobody waits for it. */
  searchUntil(over: AbortSignal): LogSearch {
    return {
      newest: async () => (await this.reads.read(over, newestOf, { keep: placeOf }))[0],
      newestOfOurs: async () => {
        const range = { from: END, direction: BACKWARDS, maxCount: 1 } as const;
        const keeping = { keep: positionOf, isLast: () => true };
        return (await this.readOurs(over, range, keeping))[0];
      },
      oursBehind: async (position, most) => {
        const maxCount = most + 1;
        const from = toClientPosition(position);
        const found = await this.readOurs(
          over,
          { from, direction: FORWARDS, maxCount },
          { keep: positionOf, isLast: (_, count) => count === maxCount },
        );
        const isBehind = (at: Position | undefined) => at && comparePositions(at, position) > 0;
        return found.flatMap((at) => (isBehind(at) ? (at ?? []) : [])).slice(0, most);
      },
    };
  }

  /**
   * The server says nothing while it passes over what others wrote; meanwhile it is asked for one small event, which it
   * gives at once.
   */
  #listenBeside(call: Call): void {
    const timer = setInterval(() => {
      const options = { ...fresh, maxCount: 1 };
      const asking = call.client.readStream(this.names.identityStream, options);
      asking.once('data', call.heard);
      // That there is no such stream is an answer. The search fails by itself if the server is gone.
      asking.on('error', (error) => error instanceof StreamNotFoundError && call.heard());
    }, this.answerLimitMs / 2);
    call.left.addEventListener('abort', () => clearInterval(timer));
  }
}

const newestOf = ({ client }: Call) =>
  client.readAll({ ...fresh, direction: BACKWARDS, fromPosition: END, maxCount: 1 });

function placeOf({ event }: ResolvedEvent): LogPosition | undefined {
  return event?.position && { stream: event.streamId, position: event.position };
}

function positionOf({ event }: ResolvedEvent): Position | undefined {
  return event?.position && asPosition(event.position);
}
