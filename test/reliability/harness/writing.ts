import { type AppendLine } from '#invariants';

import { type ContextClient } from './context-client.js';
import { waitUntil } from './wait-until.js';

/**
 * Clients that append as fast as they are answered, each to several contexts in turn, until all have stored their
 * share.
 */
export class Writing {
  readonly acknowledged: AppendLine[] = [];
  readonly #done: Promise<unknown>;
  #failure: unknown;
  #stopped = false;

  constructor(
    clients: readonly ContextClient[],
    private readonly contexts: readonly string[],
    readonly total: number,
  ) {
    const share = Math.ceil(total / clients.length);
    this.#done = Promise.all(clients.map((client, n) => this.#write(client, n, share))).catch(
      (error: unknown) => (this.#failure = error),
    );
  }

  /** Resolves once this share of the appends is acknowledged. */
  reached(part: number): Promise<void> {
    return this.#count(this.total * part);
  }

  /** Resolves once this number of further appends is acknowledged, or all. */
  more(appends: number): Promise<void> {
    return this.#count(Math.min(this.acknowledged.length + appends, this.total));
  }

  /** Completes the appends in progress and starts no more. */
  stop(): void {
    this.#stopped = true;
  }

  async finished(): Promise<readonly AppendLine[]> {
    await this.#done;
    if (this.#failure !== undefined) throw this.#failure;
    return this.acknowledged;
  }

  async #count(goal: number): Promise<void> {
    const acknowledged = () => {
      if (this.#failure !== undefined) throw this.#failure;
      return this.acknowledged.length;
    };
    await waitUntil(`${goal} acknowledged appends`, acknowledged, (count) => count >= goal);
  }

  async #write(client: ContextClient, n: number, share: number): Promise<void> {
    for (let at = 0; at < share && !this.#stopped; at++) {
      const contextId = this.contexts[(n + at) % this.contexts.length] ?? '';
      const line = await client.append({ contextId, key: `${client.name}-${at}` });
      if (line.outcome !== 'ok') throw new Error(`an append was refused: ${line.code}`);
      this.acknowledged.push(line);
    }
  }
}
