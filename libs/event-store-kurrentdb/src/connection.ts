import {
  CallerLeftError,
  ClosedError,
  SilentNodeError,
  isAnswer,
  isRefusedAccount,
} from './call-failure.js';
import { type Client, openClient } from './client.js';
import { seedsOf, withPassword } from './connection-string.js';

/** The connection to a server. It is replaced once nothing is heard over it; a server that refuses a call is heard. */
export class Connection {
  #client: Client;
  /** The string with the password of a file, if it names one. */
  #openedWith: string;
  #heardAt = performance.now();
  #failedAt: string | undefined;
  readonly #seeds: readonly string[];
  readonly #ended = new WeakSet<Client>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  /** Throws RangeError, without quoting any of it, where the connection string cannot be used. */
  constructor(private readonly connectionString: string) {
    this.#openedWith = withPassword(connectionString);
    this.#client = openClient(this.#openedWith);
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
   * A call has failed. If nothing was heard over its client for `forMs`, the next call gets a new connection, to another
   * node if there is one. Returns whether the account was refused and its password has changed since.
   */
  failed(client: Client, error: unknown, forMs: number): boolean {
    if (isRefusedAccount(error)) return this.#renew(client);
    if (isAnswer(error)) this.heard(client);
    else if (!(error instanceof CallerLeftError)) {
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
    this.#replace(this.#readPassword(), client.endpoint());
  }

  #renew(client: Client): boolean {
    this.heard(client);
    if (this.#isClosed) return false;
    if (client !== this.#client) return true;
    const before = this.#openedWith;
    const now = this.#readPassword();
    if (now !== before) this.#replace(now);
    return this.#openedWith !== before;
  }

  /** As it was if the file cannot be used at the moment: it is read again for the next connection. */
  #readPassword(): string {
    try {
      return withPassword(this.connectionString);
    } catch {
      return this.#openedWith;
    }
  }

  /** The client reads the files of certificates: while one cannot be used, the connection there is stays. */
  #replace(connectionString: string, failed?: string): void {
    const old = this.#client;
    try {
      this.#client = openClient(connectionString, failed);
    } catch {
      return;
    }
    this.#openedWith = connectionString;
    this.#heardAt = performance.now();
    this.#end(old);
  }

  #end(client: Client): void {
    this.#ended.add(client);
    const closing = client.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
