import {
  type Context,
  type ContextDocument,
  isThroughlineError,
  path,
  type Throughline,
} from '@throughline/sdk';

/** The part of the client that the adapters use. */
export type Client = Pick<Throughline, 'request' | 'context' | 'contexts'>;

export type NewOutput = Readonly<{
  stepId: string;
  output: unknown;
  /** `working`: only this adapter uses the output, not people or agents. */
  visibility?: 'working';
}>;

/** An event of a context that is the output of a step. */
export type StoredOutput = Readonly<{ version: number; stepId: string; output: unknown }>;

type Part = 'metadata' | 'stepOutputs' | '_version';

const type = 'StepOutputAdded';
const [maxListed, maxAppended] = [500, 500];
/** The server accepts bodies of 1 MiB; an event has further members besides its output. */
const maxBytes = 900_000;
/** A narrower audience would silently hide parts of the state. */
const audience = 'all';

/** The step outputs of one context. All reads use the stream itself, so that none is stale. */
export class ContextLog {
  readonly #context: Context;

  constructor(
    private readonly client: Client,
    readonly contextId: string,
  ) {
    this.#context = client.context(contextId);
  }

  /** Does nothing if the context exists already. */
  async create(
    facts: Readonly<{ title: string; parent?: string; metadata?: Record<string, unknown> }>,
  ): Promise<void> {
    const { contextId } = this;
    await this.client.contexts.create({ contextId, ...facts }).catch(undefinedIf('context-exists'));
  }

  /**
   * Stores all outputs or none, and returns the version of the last one. Rejects with `version-conflict` if the context is at
   * another version than `expectedVersion`.
   */
  async append(outputs: readonly NewOutput[], expectedVersion?: number): Promise<number> {
    const events = outputs.map((data) => ({ type, ...dataAndVisibility(data) }) as const);
    return (await this.#context.append(events, { expectedVersion })).version;
  }

  /** Stores the outputs atomically if they fit into one append, otherwise in several appends in order. */
  async appendAll(outputs: readonly NewOutput[]): Promise<void> {
    const sizes = outputs.map(sizeOf);
    for (let at = 0; at < outputs.length;) {
      const count = countFitting(sizes.slice(at));
      await this.append(outputs.slice(at, at + count));
      at += count;
    }
  }

  /** Returns the latest output of the step and the version of the context; undefined if the context does not exist. */
  async latest(
    stepId: string,
  ): Promise<Readonly<{ version: number; output: StoredOutput | undefined }> | undefined> {
    const answer = await this.client
      .request<StoredOutput | null>(
        'GET',
        path`/v1/contexts/${this.contextId}/step-outputs/${stepId}`,
        { query: { audience } },
      )
      .catch(undefinedIf('context-not-found'));
    const version = Number(/\d+/.exec(answer?.etag ?? '')?.[0]);
    return answer && { version, output: answer.body ?? undefined };
  }

  /** Returns these members of the document; undefined if the context does not exist. */
  read(...parts: Part[]): Promise<ContextDocument | undefined> {
    return this.#context.get({ parts, audience }).catch(undefinedIf('context-not-found'));
  }

  /** Returns the outputs after version `after`, up to `to` if it is given, oldest first. */
  async outputs(after: number, to?: number): Promise<StoredOutput[]> {
    const outputs: StoredOutput[] = [];
    // With a filter of types, the server would search after `to` until it has found `limit` outputs.
    const range = to === undefined ? { limit: maxListed, types: type } : { limit: to - after };
    for await (const event of this.#context.events({ after, audience, ...range })) {
      if (to !== undefined && event.version > to) break;
      // The cast is safe for events of this type; others are skipped.
      const data = event.data as Omit<StoredOutput, 'version'>;
      if (event.type === type) outputs.push({ version: event.version, ...data });
      if (event.version === to) break;
    }
    return outputs;
  }
}

/** Returns how many of these sizes, in bytes, fit into one append; at least one. */
export function countFitting(sizes: readonly number[]): number {
  let [count, total] = [0, 0];
  for (const size of sizes.slice(0, maxAppended)) {
    total += size;
    if (count > 0 && total > maxBytes) break;
    count++;
  }
  return count;
}

/** In bytes of JSON. */
export function sizeOf(output: unknown): number {
  return Buffer.byteLength(JSON.stringify(output));
}

function dataAndVisibility({ visibility, ...data }: NewOutput) {
  return { data, ...(visibility && { visibility }) };
}

function undefinedIf(code: 'context-exists' | 'context-not-found') {
  return (error: unknown): undefined => {
    if (!isThroughlineError(error, code)) throw error;
  };
}
