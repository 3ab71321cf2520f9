import { type Client, closeClient, openClient } from './client.js';

/** A connection that can be replaced: one that has gone dumb is told from a server that answers something else. */
export class Connection {
  #client: Client;
  #heardAt = performance.now();
  readonly #ended = new WeakSet<Client>();
  readonly #closing = new Set<Promise<void>>();

  constructor(private readonly connectionString: string) {
    this.#client = openClient(connectionString);
  }

  get client(): Client {
    return this.#client;
  }

  /** The server has said something over `client`, be it a refusal. */
  heard(client: Client): void {
    if (client === this.#client) this.#heardAt = performance.now();
  }

  /** Nothing was heard over `client` for `forMs`: the next call gets a new connection. */
  giveUp(client: Client, forMs: number): void {
    if (client !== this.#client || performance.now() - this.#heardAt < forMs) return;
    this.#client = openClient(this.connectionString);
    this.#heardAt = performance.now();
    this.#end(client);
  }

  /** From then on the client's streams end as if they were complete. */
  hasEnded(client: Client): boolean {
    return this.#ended.has(client);
  }

  async close(): Promise<void> {
    this.#end(this.#client);
    await Promise.all(this.#closing);
  }

  #end(client: Client): void {
    this.#ended.add(client);
    const closing = closeClient(client).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
