import { setTimeout as delay } from 'node:timers/promises';

import { request } from 'undici';
import { z } from 'zod';

import { rootKey } from './harness/context-client.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { type SeededRandom } from './harness/seeded-random.js';
import { limitMs } from './harness/size.js';
import { kindsAtFullSize, sizedOn } from './harness/streams.js';
import { waitUntil } from './harness/wait-until.js';

const contexts = Array.from({ length: 8 }, (_, n) => `c_${n}`);
/** Derives a value from each output of a step that occurs in one context only: its name is the context's. */
const derivation = (step: string, factor: number) => ({
  trigger: { step },
  sources: { value: `context.${step}` },
  operation: { kind: 'score', expression: `value * ${factor}` },
  destinations: [`project_metadata.${step}`],
});
const derived = z.object({ derived: z.record(z.string(), z.object({ value: z.number() })) });
const created = z.object({ keyId: z.string(), secret: z.string() });

/** Two servers on one database, each with its own cache of writes. */
class Pair {
  constructor(private readonly scene: Run) {}

  address(server: number): string {
    return this.scene.fleet.addresses()[server] ?? '';
  }

  client(server: number) {
    return this.scene.client(`client-${server}`, () => this.address(server));
  }

  async call(server: number, call: string, body?: object) {
    const [method = '', path = ''] = call.split(' ');
    const { statusCode: status, body: answer } = await request(`${this.address(server)}${path}`, {
      method,
      headers: { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return { status, text: await answer.text() };
  }
}

type Interference = (pair: Pair, contextId: string, random: SeededRandom) => Promise<void>;

const unknownKey = { outcome: 'refused', code: 'unauthenticated' };

let made = 0;
/**
 * The pause between writes with a key that the server caches for up to a second: without it they would be half of all
 * writes.
 */
const pauseMs = 200;

/** The write of the second server to a context in the cache of the first one, created there or earlier. */
const interferences: Readonly<Record<string, Interference>> = {
  nothing: async () => undefined,
  write: async (pair, contextId) => {
    const line = await pair.client(1).append({ contextId, key: `other-${made++}` });
    expect(line.outcome).toBe('ok');
  },
  repeat: async (pair, contextId) => {
    const key = `repeat-${made++}`;
    const { outcome, version, eventIds } = await pair.client(1).append({ contextId, key });
    expect(outcome).toBe('ok');
    const again = await pair.client(0).append({ contextId, key });
    expect(again).toMatchObject({ outcome, version, eventIds });
  },
  restore: async (pair, contextId) => {
    const body = { version: 1 };
    const restoring = { contextId, key: `restore-${made++}`, path: '/restore', body };
    expect((await pair.client(1).append(restoring)).outcome).toBe('ok');
  },
  fork: async (pair, contextId, random) => {
    const forkId = `f_${made++}`;
    const body = { atVersion: 1, contextId: forkId };
    const forking = { contextId, key: forkId, path: '/forks', storesIn: forkId, body };
    expect((await pair.client(1).append(forking)).outcome).toBe('ok');
    for (const server of [0, 1, random.int(0, 1)]) {
      const line = await pair.client(server).append({ contextId: forkId, key: `fork-${made++}` });
      expect(line.outcome).toBe('ok');
    }
  },
  rebuild: async (pair) => {
    const { status } = await pair.call(1, 'POST /v1/projections/shared-context/rebuild', {});
    // One at a time: a second one is refused while the first is in progress.
    expect([202, 409]).toContain(status);
  },
  transformation: async (pair, contextId, random) => {
    const [factor, output] = [random.int(2, 1_000), random.int(1, 1_000)];
    const definition = derivation(contextId, factor);
    const { status } = await pair.call(1, `PUT /v1/transformations/${contextId}`, definition);
    expect([200, 201]).toContain(status);
    const body = { stepId: contextId, output };
    const line = await pair.client(0).append({ contextId, key: `derives-${made++}`, body });
    expect(line.outcome).toBe('ok');
    const { text } = await pair.call(1, `GET /v1/contexts/${contextId}`);
    const { derived: values } = derived.parse(JSON.parse(text));
    expect(values[`project_metadata.${contextId}`]?.value).toBe(output * factor);
  },
  revocation: async (pair, contextId) => {
    const { text } = await pair.call(1, 'POST /v1/keys', { role: 'agent', agentId: `a-${made++}` });
    const { keyId, secret } = created.parse(JSON.parse(text));
    const write = (server: number) =>
      pair.client(server).append({ contextId, key: `by-key-${made++}`, secret });
    for (const server of [0, 1]) expect((await write(server)).outcome).toBe('ok');
    expect((await pair.call(1, `DELETE /v1/keys/${keyId}`)).status).toBe(204);
    expect(await write(1)).toMatchObject(unknownKey);
    await waitUntil(
      'the other server to refuse the key',
      () => delay(pauseMs).then(() => write(0)),
      ({ code }) => code === unknownKey.code,
    );
  },
};

describe.each(kindsAtFullSize)('R-36 with streams in %s', (kind) => {
  const rounds = sizedOn(kind, 80, 5_000);
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a server with a stale cache stores, derives and refuses like one without a cache',
    () =>
      runScenario(
        `R-36 on ${kind}`,
        postgres,
        async (run) => {
          const { fleet, random } = run;
          await fleet.start('api-1');
          await fleet.start('api-2');
          const pair = new Pair(run);
          const counts = Object.fromEntries(Object.keys(interferences).map((name) => [name, 0]));
          await Promise.all(contexts.map((id) => pair.client(0).create(id)));
          let round = 0;
          const play = async (contextId: string, own: SeededRandom) => {
            while (round++ < rounds) {
              const name = own.pick(Object.keys(interferences));
              // The server caches a context after two writes in a row.
              for (let n = own.int(1, 3); n > 0; n--)
                await pair.client(0).append({ contextId, key: `own-${made++}` });
              await interferences[name]?.(pair, contextId, own);
              counts[name] = (counts[name] ?? 0) + 1;
              const line = await pair.client(0).append({ contextId, key: `own-${made++}` });
              expect(line.outcome).toBe('ok');
            }
          };
          const stop = (error: unknown) => {
            round = rounds;
            throw error;
          };
          const playing = contexts.map((id) => play(id, random.fork()).catch(stop));
          // All clients end before the servers do.
          await Promise.allSettled(playing);
          await Promise.all(playing);
          return counts;
        },
        kind,
      ),
    limitMs,
  );
});
