import { type Principal } from '../access/principal.js';
import { type ResetReason } from './live-stream.messages.js';

/** The conditions under which a stream was opened. If they change, the stream ends. */
export type StreamAccess = Readonly<{
  epoch: string;
  /** The version of the current policy; null for the audience `all`. */
  policy: Readonly<{ audience: string; version: number }> | null;
  /** Hash of the root key, for streams of the root key. */
  rootKey: string | null;
}>;

/** An open stream: its principal, and how it ends. */
export class OpenStream {
  readonly #ending = new AbortController();
  #reset: ResetReason | undefined;

  constructor(
    readonly principal: Principal,
    readonly access: StreamAccess,
    private readonly client: AbortSignal,
  ) {
    client.addEventListener('abort', this);
    if (client.aborted) this.handleEvent();
  }

  /** Streams with the same holder share one limit. */
  get holder(): string {
    const { keyId, name, workspace } = this.principal;
    return keyId === null ? `${name} of ${workspace}` : `key ${keyId}`;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why the client must read the stream again from the start; undefined if it need not. */
  get reset(): ResetReason | undefined {
    return this.#reset;
  }

  /** Resolves when the stream must end. */
  async ended(): Promise<void> {
    const { signal } = this;
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  endWithReset(reason: ResetReason): void {
    if (!this.signal.aborted) this.#reset = reason;
    this.end(new Error(`the stream is reset: ${reason}`));
  }

  end(reason: Error): void {
    this.#ending.abort(reason);
  }

  /** Called when the client disconnects. */
  handleEvent(): void {
    this.end(new Error('the client has disconnected'));
  }

  close(): void {
    this.client.removeEventListener('abort', this);
  }
}
