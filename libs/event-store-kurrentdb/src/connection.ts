import {
  CallerLeftError,
  ClosedError,
  SilentNodeError,
  isAnswer,
  isRefusedAccount,
} from './call-failure.js';
import { type Client, openClient } from './client.js';
import { seedsOf, withPassword } from './connection-string.js';

/** The connection to a server. It is replaced if no data arrives over it; a refusal of a call counts as data. */
export class Connection {
  #client: Client;
  /** The string with the password from its file, if it names one. */
  #openedWith: string;
  #heardAt = performance.now();
  #failedAt: string | undefined;
  readonly #seeds: readonly string[];
  readonly #ended = new WeakSet<Client>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  /** Throws RangeError if the connection string is invalid, without quoting it. */
  constructor(private readonly connectionString: string) {
    this.#openedWith = withPassword(connectionString);
    this.#client = openClient(this.#openedWith);
    this.#seeds = seedsOf(connectionString);
  }

  /** Throws {@link ClosedError} after it was closed. */
  get client(): Client {
    if (this.#isClosed) throw new ClosedError();
    return this.#client;
  }

  /**
   * A text about the unreachable leader to append to an error message; empty unless the server has reported that node.
   */
  get unreached(): string {
    const node = this.#failedAt;
    return node === undefined || this.#seeds.includes(node)
      ? ''
      : `: it names ${node} as its leader, which does not answer from here`;
  }

  /** Records that the server has sent data over `client`, such as a refusal. */
  heard(client: Client): void {
    if (client === this.#client) this.#heardAt = performance.now();
  }

  /** Records that the server has completed a call. */
  answered(client: Client): void {
    this.heard(client);
    this.#failedAt = undefined;
  }

  /**
   * Records a failed call. If no data arrived over its client for `forMs`, the next call gets a new connection, if
   * possible to another node. Returns whether the account was rejected and its password has changed since.
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

  /** After it was ended, the client ends its streams as if they were complete. */
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

  /** The previous password if the file cannot be read now: it is read again for the next connection. */
  #readPassword(): string {
    try {
      return withPassword(this.connectionString);
    } catch {
      return this.#openedWith;
    }
  }

  /** The client reads the certificate files: if one cannot be read, the current connection is retained. */
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
