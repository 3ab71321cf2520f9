import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { request } from 'undici';

import {
  type ServerProcess,
  startServerProcess,
  stopServerProcesses,
} from '../e2e/server-process.js';

const key = 'root-key-of-these-tests';
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

/** What a writer was told: the key of its request and the version it got. */
type Acknowledged = Readonly<{
  contextId: string;
  idempotencyKey: string;
  eventId: string;
  version: number;
}>;

describe('nothing acknowledged is lost', () => {
  let directory: string;
  let server: ServerProcess;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'throughline-survival-'));
    await chmod(directory, 0o755);
    server = await start();
  });

  afterEach(async () => {
    await stopServerProcesses();
    await rm(directory, { recursive: true, force: true });
  });

  const start = () =>
    startServerProcess({
      THROUGHLINE_DATA_DIR: join(directory, 'data'),
      THROUGHLINE_ADMIN_KEY: key,
    });

  it.each([
    ['the server alone', (pids: Pids) => [pids.server]],
    ['the server and its database together', (pids: Pids) => [pids.server, pids.database]],
  ] as const)('by kill -9 of %s', async (_what, victims) => {
    const writers = new Writers(() => server.address);
    await writers.begin();
    await writers.until(150);
    const ended = server.stop('SIGCONT');
    for (const pid of victims(await pidsOf(server, directory))) process.kill(pid, 'SIGKILL');
    await ended;
    await writers.stop();
    server = await start();
    await writers.verify();
  });

  it('by kill -9 of the database alone, which comes back under the same server', async () => {
    const writers = new Writers(() => server.address);
    await writers.begin();
    await writers.until(150);
    const { database } = await pidsOf(server, directory);
    process.kill(database, 'SIGKILL');
    await writers.until(writers.acknowledged.length + 150);
    await writers.stop();
    await writers.verify();
  });

  it('by SIGTERM under load: what is under way is answered, and the exit is clean', async () => {
    const writers = new Writers(() => server.address);
    await writers.begin();
    await writers.until(150);
    const { code } = await server.stop('SIGTERM');
    await writers.stop();
    expect(code).toBe(0);
    server = await start();
    await writers.verify();
  });
});

type Pids = Readonly<{ server: number; database: number }>;

async function pidsOf(server: ServerProcess, directory: string): Promise<Pids> {
  const file = await readFile(join(directory, 'data', 'postgres', 'postmaster.pid'), 'utf8');
  return { server: server.pid, database: Number(file.split('\n')[0]) };
}

/** Eight clients that append as fast as they are answered, each request under a key of its own, repeated till answered. */
class Writers {
  readonly acknowledged: Acknowledged[] = [];
  readonly unanswered: Readonly<{ contextId: string; idempotencyKey: string }>[] = [];
  readonly #contexts = Array.from({ length: 4 }, () => `c-${randomUUID()}`);
  #going = true;
  #running: Promise<unknown> = Promise.resolve();

  constructor(private readonly address: () => string) {}

  async begin(): Promise<void> {
    for (const contextId of this.#contexts)
      await request(`${this.address()}/v1/contexts`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ contextId }),
      });
    this.#running = Promise.all(
      Array.from({ length: 8 }, (_, n) => this.#write(this.#contexts[n % 4] ?? '')),
    );
  }

  /** Resolves once this many writes are acknowledged. */
  async until(count: number): Promise<void> {
    while (this.acknowledged.length < count) await new Promise((resolve) => setImmediate(resolve));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#running;
  }

  /** Every acknowledged event is stored under its version, versions have no gaps, and repeating a request answers the same. */
  async verify(): Promise<void> {
    for (const contextId of this.#contexts) {
      const events = await this.#events(contextId);
      expect(events.map(({ version }) => version)).toEqual(events.map((_, at) => at + 1));
      const stored = new Map(events.map(({ eventId, version }) => [eventId, version]));
      const mine = this.acknowledged.filter((write) => write.contextId === contextId);
      expect(mine.filter(({ eventId, version }) => stored.get(eventId) !== version)).toEqual([]);
    }
    for (const write of [...this.acknowledged.slice(-20), ...this.unanswered]) {
      const repeated = await this.#append(write.contextId, write.idempotencyKey);
      if ('version' in write) expect(repeated).toEqual(write);
      expect(repeated).toBeDefined();
    }
  }

  async #write(contextId: string): Promise<void> {
    while (this.#going) {
      const idempotencyKey = randomUUID();
      const answer = await this.#append(contextId, idempotencyKey).catch((error: unknown) => error);
      if (isAcknowledged(answer)) this.acknowledged.push(answer);
      else if (wasNeverSent(answer)) await clientsBackOff();
      else this.unanswered.push({ contextId, idempotencyKey });
    }
  }

  /** Undefined where the server said no: it could not store, and said so. */
  async #append(contextId: string, idempotencyKey: string): Promise<Acknowledged | undefined> {
    const answer = await request(`${this.address()}/v1/contexts/${contextId}/step-outputs`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ stepId: 's', output: idempotencyKey }),
    });
    const body = JSON.parse(await answer.body.text());
    if (answer.statusCode !== 201) return undefined;
    return { contextId, idempotencyKey, eventId: body.events[0].eventId, version: body.version };
  }

  async #events(contextId: string): Promise<{ eventId: string; version: number }[]> {
    const found: { eventId: string; version: number }[] = [];
    for (let after = 0; ; after = found.at(-1)?.version ?? 0) {
      const answer = await request(
        `${this.address()}/v1/contexts/${contextId}/events?limit=500&after=${after}`,
        { headers },
      );
      const { items } = JSON.parse(await answer.body.text());
      if (items.length === 0) return found;
      found.push(...items);
    }
  }
}

function isAcknowledged(answer: unknown): answer is Acknowledged {
  return typeof answer === 'object' && answer !== null && 'idempotencyKey' in answer;
}

function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

/** What any client does before it connects again; nothing waits for this to be long enough. */
function clientsBackOff(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
