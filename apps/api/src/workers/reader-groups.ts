import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type Readable } from 'node:stream';

import { type Release } from './admission-queue.js';
import { SharedBody, type SharedBodyOptions } from './shared-body.js';
import { type Asker, type WorkerPool } from './worker-pool.js';
import { type ForwardedRequest } from './worker-process.js';

/** An answer of a worker, as one of its readers gets it. */
export type WorkerAnswer = Readonly<{
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Readable;
  /** Whether the worker was asked by another reader. */
  isShared: boolean;
}>;

/** The group that gathers under a name, and the read under way for the one before it. */
type Place = { gathering: ReaderGroup | undefined; reading: Promise<void> | undefined };

/**
 * Groups requests for the same answer that arrive before its read begins: one of them is forwarded to a worker, and all get
 * its answer. Under each name one read runs at a time; requests that arrive while it runs form the next group, and wait in
 * the queue meanwhile.
 */
export class ReaderGroups {
  readonly #places = new Map<string, Place>();

  constructor(
    private readonly workers: Pick<WorkerPool, 'admit' | 'send'>,
    private readonly sharing: SharedBodyOptions,
  ) {}

  /**
   * Requests under the same name must be entitled to the very same answer. Each takes a turn of its own key, and the first
   * that is admitted is the one that is forwarded. Throws what the pool throws, or the reason of the signal.
   */
  async forward(name: string, request: ForwardedRequest, asker: Asker): Promise<WorkerAnswer> {
    const place = this.#placeOf(name);
    const group = (place.gathering ??= new ReaderGroup());
    const reader = group.join(asker.signal);
    try {
      const release = await this.#admit(group, asker, place.reading);
      if (group.begun.aborted) release?.();
      else if (release) this.#begin({ name, place }, { group, reader, request, release });
      const answer = await reader.answer.promise;
      asker.signal.addEventListener('abort', () => answer.body.destroy(), { once: true });
      return answer;
    } finally {
      group.leave(reader);
      if (group.isEmpty && place.gathering === group) place.gathering = undefined;
      this.#forget(name, place);
    }
  }

  /** Undefined if another one of the group was admitted. */
  async #admit(
    group: ReaderGroup,
    { key, signal }: Asker,
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
    { name, place }: Readonly<{ name: string; place: Place }>,
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
    place.gathering = undefined;
    place.reading = this.workers
      .send(request, { release, signal: group.abandoned })
      .then((answer) => group.answer(answer, { asked: reader, sharing: this.sharing }))
      .catch((error: unknown) => group.fail(error))
      .finally(() => {
        place.reading = undefined;
        this.#forget(name, place);
      });
  }

  #placeOf(name: string): Place {
    const place = this.#places.get(name) ?? { gathering: undefined, reading: undefined };
    this.#places.set(name, place);
    return place;
  }

  #forget(name: string, { gathering, reading }: Place): void {
    if (!gathering && !reading) this.#places.delete(name);
  }
}

type GroupedReader = Readonly<{
  answer: PromiseWithResolvers<WorkerAnswer>;
  signal: AbortSignal;
  gone: () => void;
}>;

/** Those who share a read. */
class ReaderGroup {
  readonly #readers = new Set<GroupedReader>();
  readonly #begun = new AbortController();
  readonly #abandoned = new AbortController();
  #isAnswered = false;

  /** Aborted once the read begins. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** Aborted when the last reader has left before an answer. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  get isEmpty(): boolean {
    return this.#readers.size === 0;
  }

  join(signal: AbortSignal): GroupedReader {
    signal.throwIfAborted();
    const answer = Promise.withResolvers<WorkerAnswer>();
    const gone = () => answer.reject(signal.reason);
    signal.addEventListener('abort', gone);
    const reader = { answer, signal, gone };
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: GroupedReader): void {
    reader.signal.removeEventListener('abort', reader.gone);
    this.#readers.delete(reader);
    if (this.isEmpty && !this.#isAnswered) this.#abandoned.abort();
  }

  begin(): void {
    this.#begun.abort();
  }

  answer(
    message: IncomingMessage,
    { asked, sharing }: Readonly<{ asked: GroupedReader; sharing: SharedBodyOptions }>,
  ): void {
    this.#isAnswered = true;
    const { statusCode = 500, headers } = message;
    const readers = [...this.#readers].filter(({ signal }) => !signal.aborted);
    const bodies = new SharedBody(message, sharing).open(readers.length);
    for (const [at, body] of bodies.entries()) {
      const reader = readers[at];
      reader?.answer.resolve({ statusCode, headers, body, isShared: reader !== asked });
    }
  }

  fail(error: unknown): void {
    for (const { answer } of this.#readers) answer.reject(error);
  }
}
