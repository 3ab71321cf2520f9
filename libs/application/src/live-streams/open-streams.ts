import { Inject, Injectable } from '@nestjs/common';

import { ServerBusyError, TooManyWaitingError } from '../errors.js';
import { type KeyHolders, LongPolls } from '../long-polls/long-polls.js';
import { Multimap } from '../long-polls/multimap.js';
import { STREAM_OPTIONS, type StreamOptions } from '../tokens.js';
import { type OpenStream } from './open-stream.js';

/** How many streams may be open at a time in one process. */
export const maxStreams = 10_000;

/** The open streams of this process, by holder and by key. */
@Injectable()
export class OpenStreams implements KeyHolders {
  readonly #byHolder = new Multimap<OpenStream>();
  readonly #byKey = new Multimap<OpenStream>();
  #count = 0;

  constructor(
    polls: LongPolls,
    @Inject(STREAM_OPTIONS) private readonly options: StreamOptions,
  ) {
    polls.watch(this);
  }

  get count(): number {
    return this.#count;
  }

  all(): Iterable<OpenStream> {
    return this.#byHolder.values();
  }

  /** Throws {@link TooManyWaitingError} or {@link ServerBusyError} if a limit is reached. */
  add(stream: OpenStream): void {
    const { maxOfKey } = this.options;
    if (this.#byHolder.count(stream.holder) >= maxOfKey)
      throw new TooManyWaitingError(
        `this key has ${maxOfKey} streams open, which is its limit: end one first, or let several readers share one`,
      );
    if (this.#count >= maxStreams)
      throw new ServerBusyError(
        `this server has ${maxStreams} streams open, which is its limit: repeat the request after Retry-After`,
      );
    this.#setCount(this.#count + 1);
    this.#byHolder.add(stream.holder, stream);
    const { keyId } = stream.principal;
    if (keyId !== null) this.#byKey.add(keyId, stream);
  }

  delete(stream: OpenStream): void {
    this.#setCount(this.#count - 1);
    this.#byHolder.delete(stream.holder, stream);
    const { keyId } = stream.principal;
    if (keyId !== null) this.#byKey.delete(keyId, stream);
  }

  keyIds(): Iterable<string> {
    return this.#byKey.names();
  }

  endKey(keyId: string, error: Error): void {
    for (const stream of Array.from(this.#byKey.get(keyId))) stream.end(error);
  }

  #setCount(count: number): void {
    this.#count = count;
    this.options.counted(count);
  }
}
