import { ClosedError } from './call-failure.js';
import { type Client, openClient } from './client.js';

/** A connection that can be replaced: one that has gone dumb is told from a server that answers something else. */
export class Connection {
  #client: Client;
  #heardAt = performance.now();
  readonly #ended = new WeakSet<Client>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(private readonly connectionString: string) {
    this.#client = openClient(connectionString);
  }

  /** Throws {@link ClosedError}. */
  get client(): Client {
    if (this.#isClosed) throw new ClosedError();
    return this.#client;
  }

  /** The server has said something over `client`, be it a refusal. */
  heard(client: Client): void {
    if (client === this.#client) this.#heardAt = performance.now();
  }

  /** Nothing was heard over `client` for `forMs`: the next call gets a new connection, to another node if there is one. */
  giveUp(client: Client, forMs: number): void {
    const isSilent = performance.now() - this.#heardAt >= forMs;
    if (this.#isClosed || client !== this.#client || !isSilent) return;
    this.#client = openClient(this.connectionString, client.endpoint());
    this.#heardAt = performance.now();
    this.#end(client);
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

  #end(client: Client): void {
    this.#ended.add(client);
    const closing = client.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
