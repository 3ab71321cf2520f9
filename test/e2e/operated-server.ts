import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';

import {
  type TestDatabase,
  type TestServer,
  countEvents,
  openTestDatabase,
  openTestServer,
  waitFor,
} from '#testing';

import { type ServerProcess, startServerProcess, throughline } from './server-process.js';
import { openStreams } from './server-stores.js';

const key = 'root-key-of-these-tests';

/** The JSON of an answer; tests read its members without a schema. */
export type Body = ReturnType<typeof JSON.parse>;

/** A server without its own projector, on a database that tests may query. */
export class OperatedServer {
  #server: ServerProcess | undefined;

  private constructor(
    private readonly postgres: TestServer,
    readonly database: TestDatabase,
    private readonly streams: Awaited<ReturnType<typeof openStreams>>,
  ) {}

  static async start(): Promise<OperatedServer> {
    const postgres = await openTestServer();
    const database = await openTestDatabase(postgres);
    const operated = new OperatedServer(postgres, database, await openStreams(database));
    operated.#server = await startServerProcess({ ...operated.env, PROJECTOR: 'external' });
    return operated;
  }

  /** The environment of its projectors and commands. */
  get env(): Readonly<Record<string, string>> {
    return {
      DATABASE_URL: this.database.connectionString,
      ...this.streams.env,
      THROUGHLINE_ADMIN_KEY: key,
      THROUGHLINE_KEY: key,
      ...(this.#server && { THROUGHLINE_URL: this.#server.address }),
    };
  }

  async countEvents(): Promise<number> {
    const store = await this.streams.openStore();
    try {
      return await countEvents(store);
    } finally {
      await store.close();
    }
  }

  /** Throws unless the status is 2xx. */
  async call(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
    const { status, body: answerBody } = await this.ask(method, path, body);
    if (status >= 300)
      throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answerBody)}`);
    return answerBody;
  }

  async ask(method: 'GET' | 'POST', path: string, body?: object) {
    const answer = await request(`${this.#server?.address}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.statusCode, headers: answer.headers, body: await bodyOf(answer) };
  }

  async projection(): Promise<Body> {
    return (await this.call('GET', 'projections')).items[0];
  }

  /** The number of partitions of each projector, by instance. */
  async shares(): Promise<Map<string, number>> {
    const { partitions } = await this.projection();
    const owners: string[] = partitions.flatMap(({ owner }: Body) => owner?.instance ?? []);
    return new Map(
      [...Map.groupBy(owners, (owner) => owner)].map(([name, all]) => [name, all.length]),
    );
  }

  async caughtUp(): Promise<void> {
    await waitFor('a projection that has caught up', () => this.projection(), {
      until: ({ lagEvents }) => lagEvents === 0,
    });
  }

  /** The report of `throughline audit` about the invariant that rows equal the fold of the log. */
  async auditRows(): Promise<Body> {
    const { out } = await throughline(['audit', '--json'], this.env);
    return JSON.parse(out).reports.find(({ id }: Body) => id === 'I6');
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.streams.close();
    await this.database.close();
    await this.postgres.close();
  }
}

/**
 * The pause between requests of a writer or reader: without it they would take the processor from the tested processes.
 */
export const pauseMs = 20;
const slowPauseMs = 1_000;

/** Agents that write to their own contexts until they are stopped. */
export class Writers {
  #writing = true;
  #pauseMs = pauseMs;
  readonly #work: Promise<void>[];
  #written = 0;

  constructor(
    private readonly server: OperatedServer,
    names: readonly string[],
  ) {
    this.#work = names.map((name) => this.#write(name));
  }

  get written(): number {
    return this.#written;
  }

  /** For tests that wait for seconds: the writers continue, but leave the processor to the tested processes. */
  slowDown(): void {
    this.#pauseMs = slowPauseMs;
  }

  async stop(): Promise<void> {
    this.#writing = false;
    await Promise.all(this.#work);
  }

  async #write(contextId: string): Promise<void> {
    await this.server.call('POST', 'contexts', { contextId });
    for (let n = 0; this.#writing; n++) {
      const output = { stepId: `s${n % 5}`, output: { n } };
      await this.server.call('POST', `contexts/${contextId}/step-outputs`, output);
      this.#written++;
      await wait(this.#pauseMs);
    }
  }
}

async function bodyOf(answer: { body: { text: () => Promise<string> } }): Promise<Body> {
  const text = await answer.body.text();
  return text === '' ? undefined : JSON.parse(text);
}
