import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type Readable } from 'node:stream';

import { type Release } from './admission-queue.js';
import { SharedBody, type SharedBodyOptions } from './shared-body.js';
import { type PoolCaller, type WorkerPool } from './worker-pool.js';
import { type ForwardedRequest } from './worker-process.js';

/** An answer of a worker for one of its readers. */
export type WorkerAnswer = Readonly<{
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Readable;
  /** Whether the request of another reader was forwarded. */
  isShared: boolean;
}>;

/** The group of a name that still accepts requests, and the running read of the previous group. */
type GroupState = { gathering: ReaderGroup | undefined; reading: Promise<void> | undefined };

/**
 * Groups requests for the same answer that arrive before its read begins: one of them is forwarded to a worker, and all get its
 * answer. Each name has one running read at a time; requests that arrive during the read form the next group, and wait in the queue.
 */
export class ReaderGroups {
  readonly #states = new Map<string, GroupState>();

  constructor(
    private readonly workers: Pick<WorkerPool, 'admit' | 'send'>,
    private readonly sharing: SharedBodyOptions,
  ) {}

  /**
   * Requests with the same name must be entitled to the same answer. Each request waits in the queue of its key, and the first admitted
   * request is forwarded. Throws the errors of the pool, or the reason of the signal.
   */
  async forward(
    name: string,
    request: ForwardedRequest,
    caller: PoolCaller,
  ): Promise<WorkerAnswer> {
    const state = this.#stateOf(name);
    const group = (state.gathering ??= new ReaderGroup());
    const reader = group.join(caller.signal);
    try {
      const release = await this.#admit(group, caller, state.reading);
      if (group.begun.aborted) release?.();
      else if (release) this.#begin({ name, state }, { group, reader, request, release });
      const answer = await reader.answer.promise;
      caller.signal.addEventListener('abort', () => answer.body.destroy(), { once: true });
      return answer;
    } finally {
      group.leave(reader);
      if (group.isEmpty && state.gathering === group) state.gathering = undefined;
      this.#removeIfIdle(name, state);
    }
  }

  /** Undefined if another request of the group was admitted first. */
  async #admit(
    group: ReaderGroup,
    { key, signal }: PoolCaller,
    after: Promise<void> | undefined,
  ): Promise<Release | undefined> {
    const either = AbortSignal.any([signal, group.begun]);
    try {
      return await this.workers.admit({ key, signal: either }, after);
    } catch (error) {
      if (!group.begun.aborted || signal.aborted) throw error;
      return undefined;
    }
  }

  #begin(
    { name, state }: Readonly<{ name: string; state: GroupState }>,
    {
      group,
      reader,
      request,
      release,
    }: Readonly<{
      group: ReaderGroup;
      reader: GroupedReader;
      request: ForwardedRequest;
      release: Release;
    }>,
  ): void {
    group.begin();
    state.gathering = undefined;
    state.reading = this.workers
      .send(request, { release, signal: group.abandoned })
      .then((answer) => group.answer(answer, { forwarded: reader, sharing: this.sharing }))
      .catch((error: unknown) => group.fail(error))
      .finally(() => {
        state.reading = undefined;
        this.#removeIfIdle(name, state);
      });
  }

  #stateOf(name: string): GroupState {
    const state = this.#states.get(name) ?? { gathering: undefined, reading: undefined };
    this.#states.set(name, state);
    return state;
  }

  #removeIfIdle(name: string, { gathering, reading }: GroupState): void {
    if (!gathering && !reading) this.#states.delete(name);
  }
}

type GroupedReader = Readonly<{
  answer: PromiseWithResolvers<WorkerAnswer>;
  signal: AbortSignal;
  onAbort: () => void;
}>;

/** The readers that share one read. */
class ReaderGroup {
  readonly #readers = new Set<GroupedReader>();
  readonly #begun = new AbortController();
  readonly #abandoned = new AbortController();
  #isAnswered = false;

  /** Aborts when the read begins. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** Aborts when the last reader leaves before the answer. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  get isEmpty(): boolean {
    return this.#readers.size === 0;
  }

  join(signal: AbortSignal): GroupedReader {
    signal.throwIfAborted();
    const answer = Promise.withResolvers<WorkerAnswer>();
    const onAbort = () => answer.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    const reader = { answer, signal, onAbort };
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: GroupedReader): void {
    reader.signal.removeEventListener('abort', reader.onAbort);
    this.#readers.delete(reader);
    if (this.isEmpty && !this.#isAnswered) this.#abandoned.abort();
  }

  begin(): void {
    this.#begun.abort();
  }

  answer(
    message: IncomingMessage,
    { forwarded, sharing }: Readonly<{ forwarded: GroupedReader; sharing: SharedBodyOptions }>,
  ): void {
    this.#isAnswered = true;
    const { statusCode = 500, headers } = message;
    const readers = [...this.#readers].filter(({ signal }) => !signal.aborted);
    const bodies = new SharedBody(message, sharing).open(readers.length);
    for (const [at, body] of bodies.entries()) {
      const reader = readers[at];
      reader?.answer.resolve({ statusCode, headers, body, isShared: reader !== forwarded });
    }
  }

  fail(error: unknown): void {
    for (const { answer } of this.#readers) answer.reject(error);
  }
}
