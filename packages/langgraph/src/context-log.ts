import { isThroughlineError, type Throughline } from '@throughline/sdk';

/** All that the adapters need of the client. */
export type Client = Pick<Throughline, 'request'>;

export type NewOutput = Readonly<{
  stepId: string;
  output: unknown;
  /** `working`: of use to this adapter alone, and not to people or agents. */
  visibility?: 'working';
}>;

/** An event of a context that is the output of a step. */
export type StoredOutput = Readonly<{ version: number; stepId: string; output: unknown }>;

type Answer<T> = Readonly<{ body: T; etag?: string | undefined }>;

type Listed = Readonly<{
  items: readonly Readonly<{ version: number; type: string; data: unknown }>[];
  nextCursor: string | null;
}>;

type Written = Readonly<{ version: number; events: readonly Readonly<{ version: number }>[] }>;

const type = 'StepOutputAdded';
const [mostListed, mostAppended] = [500, 500];
/** The server takes bodies of 1 MiB, in which each event has some facts more than its output. */
const mostBytes = 900_000;
/** A narrower audience would hide parts of the state without a word. */
const audience = 'all';

/** The step outputs of one context. All reads are of the stream itself, so that none is stale. */
export class ContextLog {
  readonly #path: string;

  constructor(
    private readonly client: Client,
    readonly contextId: string,
  ) {
    this.#path = `/v1/contexts/${encodeURIComponent(contextId)}`;
  }

  /** Returns false if the context exists already. */
  async create(facts: Readonly<Record<string, unknown>>): Promise<boolean> {
    try {
      const body = { contextId: this.contextId, ...facts };
      await this.client.request('POST', '/v1/contexts', { body });
      return true;
    } catch (error) {
      if (isThroughlineError(error, 'context-exists')) return false;
      throw error;
    }
  }

  /** Stores all outputs or none. Rejects with `version-conflict` if the context is at another version than `expectedVersion`. */
  async append(outputs: readonly NewOutput[], expectedVersion?: number): Promise<Written> {
    const events = outputs.map(({ visibility, ...data }) => ({ type, data, visibility }));
    const options = { body: { events }, expectedVersion };
    return (await this.client.request<Written>('POST', `${this.#path}/events`, options)).body;
  }

  /** Stores what fits into one append together or not at all, and more than that piece by piece, in order. */
  async appendAll(outputs: readonly NewOutput[]): Promise<void> {
    const sizes = outputs.map(sizeOf);
    for (let at = 0; at < outputs.length;) {
      const count = countFitting(sizes.slice(at));
      await this.append(outputs.slice(at, at + count));
      at += count;
    }
  }

  /** The latest output of the step and the version of the context; undefined if there is no such context. */
  async latest(
    stepId: string,
  ): Promise<Readonly<{ version: number; output: StoredOutput | undefined }> | undefined> {
    const path = `${this.#path}/step-outputs/${encodeURIComponent(stepId)}`;
    const answer = await this.#read<StoredOutput | null>(path, {});
    return answer && { version: versionOf(answer.etag), output: answer.body ?? undefined };
  }

  /** The latest output of every step; undefined if there is no such context. */
  async latestOfAll(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const query = { parts: 'stepOutputs' };
    const answer = await this.#read<{ stepOutputs: Record<string, unknown> }>(this.#path, query);
    return answer?.body.stepOutputs;
  }

  /** The members of the document that `parts` names; undefined if there is no such context. */
  async parts<T>(parts: string): Promise<T | undefined> {
    return (await this.#read<T>(this.#path, { parts }))?.body;
  }

  async version(): Promise<number | undefined> {
    const answer = await this.#read(`${this.#path}/events`, { after: 0, limit: 1 });
    return answer && versionOf(answer.etag);
  }

  /** Outputs behind version `after`, up to `to` if it is given, oldest first. */
  async outputs(after: number, to?: number): Promise<StoredOutput[]> {
    const found: StoredOutput[] = [];
    for await (const event of this.#events(after, to)) {
      if (to !== undefined && event.version > to) break;
      // The type says what the data are.
      const data = event.data as Omit<StoredOutput, 'version'>;
      if (event.type === type) found.push({ version: event.version, ...data });
      if (event.version === to) break;
    }
    return found;
  }

  async *#events(after: number, to: number | undefined) {
    // A filter would look behind `to` for as many outputs as it was asked for.
    const range = to === undefined ? { limit: mostListed, types: type } : { limit: to - after };
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { after, cursor, ...range };
      const answer: Answer<Listed> | undefined = await this.#read(`${this.#path}/events`, query);
      yield* answer?.body.items ?? [];
      cursor = answer?.body.nextCursor ?? null;
    }
  }

  async #read<T>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
  ): Promise<Answer<T> | undefined> {
    try {
      return await this.client.request<T>('GET', path, { query: { ...query, audience } });
    } catch (error) {
      if (isThroughlineError(error, 'context-not-found')) return undefined;
      throw error;
    }
  }
}

/** How many of these sizes, in bytes, fit into one append: one at least. */
export function countFitting(sizes: readonly number[]): number {
  let [count, total] = [0, 0];
  for (const size of sizes.slice(0, mostAppended)) {
    total += size;
    if (count > 0 && total > mostBytes) break;
    count++;
  }
  return count;
}

/** In bytes of JSON. */
export function sizeOf(output: unknown): number {
  return Buffer.byteLength(JSON.stringify(output));
}

function versionOf(etag: string | undefined): number {
  return Number(/\d+/.exec(etag ?? '')?.[0]);
}
