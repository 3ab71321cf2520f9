import { type CallFailure, cancelled } from './grpc-errors.js';
import { waitUnless } from './waiting.js';

/** A call with streamed answers, or with one delayed answer. */
type AnsweredCall<Answer> = {
  write(answer: Answer): boolean;
  end(): void;
  emit(event: 'error', failure: CallFailure): boolean;
  once(event: 'drain' | 'cancelled', listener: () => void): unknown;
  off(event: 'drain', listener: () => void): unknown;
};

/** One open streaming call. It ends once: by itself, by the client, or because a test or an election ends it. */
export class CallSession<Answer> {
  readonly #ended = new AbortController();

  /** `slow` is called if the client does not read for the given time. */
  constructor(
    private readonly call: AnsweredCall<Answer>,
    private readonly slow?: Readonly<{ afterMs: () => number; abort: () => void }>,
  ) {
    call.once('cancelled', () => this.#ended.abort());
  }

  /** Aborted once no client receives answers. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Resolves when the next answer may be sent: the client has read enough of the previous ones. */
  async send(answer: Answer): Promise<void> {
    if (this.signal.aborted || this.call.write(answer)) return;
    const { slow } = this;
    const timer = slow && setTimeout(() => slow.abort(), slow.afterMs());
    await waitUnless(this.signal, (drained) => {
      this.call.once('drain', drained);
      return () => void this.call.off('drain', drained);
    });
    clearTimeout(timer);
  }

  /** Ends with OK, or with the failure. */
  finish(failure?: CallFailure): void {
    if (this.signal.aborted) return;
    if (failure) this.call.emit('error', failure);
    else this.call.end();
    this.#ended.abort();
  }

  throwIfEnded(): void {
    if (this.signal.aborted) throw cancelled();
  }
}
