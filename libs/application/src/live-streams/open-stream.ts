import { type Principal } from '../access/principal.js';
import { type ResetReason } from './live-stream.messages.js';

/** What a stream was opened under. If it changes, the stream ends. */
export type StreamAccess = Readonly<{
  epoch: string;
  /** Of the policy in force; null for who sees everything. */
  policy: Readonly<{ audience: string; version: number }> | null;
  /** Hash of the root key, for streams of the root key. */
  rootKey: string | null;
}>;

/** A stream that is open: whose it is, and how it ends. */
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

  /** Names whoever shares a limit of open streams. */
  get holder(): string {
    const { keyId, name, workspace } = this.principal;
    return keyId === null ? `${name} of ${workspace}` : `key ${keyId}`;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why its follower has to begin anew, if it has. */
  get reset(): ResetReason | undefined {
    return this.#reset;
  }

  /** Resolves when it is to end. */
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

  /** The client has gone. */
  handleEvent(): void {
    this.end(new Error('the client has gone'));
  }

  close(): void {
    this.client.removeEventListener('abort', this);
  }
}
