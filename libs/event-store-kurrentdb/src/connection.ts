import { ClosedError, SilentNodeError, isAnswer, isRefusedAccount } from './call-failure.js';
import { type Client, openClient } from './client.js';
import { seedsOf, toClientString } from './connection-string.js';

/** A connection that can be replaced: one that has gone dumb is told from a server that answers something else. */
export class Connection {
  #client: Client;
  /** As the client was given it: with the password of a file. */
  #openedWith: string;
  #heardAt = performance.now();
  #failedAt: string | undefined;
  readonly #seeds: readonly string[];
  readonly #ended = new WeakSet<Client>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  /** Throws RangeError, without quoting any of it, where the connection string cannot be used. */
  constructor(private readonly connectionString: string) {
    this.#openedWith = toClientString(connectionString);
    this.#client = openClient(connectionString);
    this.#seeds = seedsOf(connectionString);
  }

  /** Throws {@link ClosedError}. */
  get client(): Client {
    if (this.#isClosed) throw new ClosedError();
    return this.#client;
  }

  /** The node that was not reached, if it is one that the server has named; empty, or what to say behind a failure. */
  get unreached(): string {
    const node = this.#failedAt;
    return node === undefined || this.#seeds.includes(node)
      ? ''
      : `: it names ${node} as its leader, which does not answer from here`;
  }

  /** The server has said something over `client`, be it a refusal. */
  heard(client: Client): void {
    if (client === this.#client) this.#heardAt = performance.now();
  }

  /** The server has done what it was asked. */
  answered(client: Client): void {
    this.heard(client);
    this.#failedAt = undefined;
  }

  /**
   * A call has failed. Where nothing was heard over its client for `forMs`, the next call gets a new connection, to
   * another node if there is one. True where the account was refused and its password has changed since.
   */
  failed(client: Client, error: unknown, forMs: number): boolean {
    if (isRefusedAccount(error)) return this.#renew(client);
    if (isAnswer(error)) this.heard(client);
    else {
      this.#failedAt = client.endpoint();
      this.#giveUp(client, error instanceof SilentNodeError ? 0 : forMs);
    }
    return false;
  }

  /** From then on the client's streams end as if they were complete. */
  hasEnded(client: Client): boolean {
    return this.#ended.has(client);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end(this.#client);
    await Promise.all(this.#closing);
  }

  #giveUp(client: Client, forMs: number): void {
    const isSilent = performance.now() - this.#heardAt >= forMs;
    if (this.#isClosed || client !== this.#client || !isSilent) return;
    this.#replace(client.endpoint());
  }

  #renew(client: Client): boolean {
    this.heard(client);
    if (this.#isClosed) return false;
    if (client !== this.#client) return true;
    const before = this.#openedWith;
    if (this.#read() !== before) this.#replace();
    return this.#openedWith !== before;
  }

  #read(): string {
    try {
      return toClientString(this.connectionString);
    } catch {
      return this.#openedWith;
    }
  }

  /** Reads the files that the string names anew. What cannot be used then is left for the next time. */
  #replace(failed?: string): void {
    const old = this.#client;
    try {
      this.#client = openClient(this.connectionString, failed);
      this.#openedWith = this.#read();
    } catch {
      return;
    }
    this.#heardAt = performance.now();
    this.#end(old);
  }

  #end(client: Client): void {
    this.#ended.add(client);
    const closing = client.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
