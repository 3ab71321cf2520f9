import { sql } from 'kysely';
import { request } from 'undici';

import { type CountingProxy, openCountingProxy, waitFor } from '#testing';

import { type Body } from './operated-server.js';
import {
  type ServerProcess,
  startProjectorProcess,
  startServerProcess,
  stopServerProcesses,
} from './server-process.js';
import { type ServerDatabase, openServerDatabase } from './server-stores.js';

const limitMs = 240_000;
const rootKey = 'root-key-of-these-tests';
const [few, many] = [150, 900];
const batch = 250;

/** What agents write, of about 150 tokens. */
const outputAt = (at: number) => ({
  stepId: `s-${at}`,
  output: `Step ${at} changed src/module-${at}.ts; ${at * 3} tests pass. ${'All of it was read again and agreed on by the team. '.repeat(10)}`,
});

let stores: ServerDatabase;
let proxy: CountingProxy;
let server: ServerProcess;

beforeAll(async () => {
  stores = await openServerDatabase();
  proxy = await openCountingProxy(stores.database.connectionString);
  // What keeps the read models goes another way: only what readers cause is counted.
  await startProjectorProcess(stores.env);
  server = await start();
  await call('PUT', 'policies/onlooker', {
    show: [{ types: ['*'], visibility: ['record'] }],
  });
  await grow('few', few);
  await grow('many', many);
}, limitMs);

afterAll(async () => {
  await stopServerProcesses();
  await proxy.close();
  await stores.close();
}, limitMs);

const start = () =>
  startServerProcess({
    ...stores.env,
    PROJECTOR: 'external',
    DATABASE_URL: proxy.connectionString,
    THROUGHLINE_ADMIN_KEY: rootKey,
  });

async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Body> {
  const answer = await request(`${server.address}/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${rootKey}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}

const read = (contextId: string, audience: string, more = '') =>
  call('GET', `contexts/${contextId}/view?maxTokens=4000&audience=${audience}${more}`);

async function grow(contextId: string, steps: number): Promise<void> {
  await call('POST', 'contexts', { contextId });
  for (let at = 0; at < steps; at += batch) {
    const count = Math.min(batch, steps - at);
    const events = Array.from({ length: count }, (_, n) => ({
      type: 'StepOutputAdded',
      data: outputAt(at + n),
      // Some of it is hidden from most.
      ...((at + n) % 5 === 0 && { visibility: 'working' }),
    }));
    await call('POST', `contexts/${contextId}/events`, { events });
  }
}

/** What PostgreSQL answers for one view behind one more step: the most of some rounds. */
async function answeredFor(contextId: string, audience: string, more = ''): Promise<number> {
  await read(contextId, audience, more);
  const { version } = await read(contextId, audience, more);
  const rounds: number[] = [];
  for (let at = version; at < version + 6; at++) {
    await call('POST', `contexts/${contextId}/step-outputs`, outputAt(at));
    proxy.taken();
    const view = await read(contextId, audience, more);
    expect(view.version).toBe(at + 1);
    rounds.push(proxy.taken().answered);
  }
  return Math.max(...rounds);
}

describe('a view behind one more step', () => {
  it.each([
    ['all', ''],
    ['onlooker', ''],
    ['reviewer', ''],
    ['developer', ''],
    ['failure-analyst', ''],
    ['retrospective', ''],
    ['all', '&sections=outputs,state'],
    ['all', '&focus=handover&agent=qa'],
  ])(
    'takes as much of the database at 900 steps as at 150, for %s%s',
    async (audience, more) => {
      const [short, long] = [
        await answeredFor('few', audience, more),
        await answeredFor('many', audience, more),
      ];
      expect(long).toBeLessThan(short * 2);
      // Less than what the view itself tells: nothing old is read again.
      expect(long).toBeLessThan(10_000);
    },
    limitMs,
  );
});

describe('a ref of a view', () => {
  /** What PostgreSQL answers until the original is there: the least of some rounds, as some also look their key up. */
  const answeredForRef = async (contextId: string, ref: string) => {
    const path = `contexts/${contextId}/items/${ref}`;
    await call('GET', path);
    const rounds: number[] = [];
    // What runs in the background is in some rounds, and never as large twice: the least is known once it was seen again.
    const isKnown = () => rounds.filter((answered) => answered === Math.min(...rounds)).length > 1;
    while (rounds.length < 5 || (rounds.length < 50 && !isKnown())) {
      // On a slow machine each round would look the key up otherwise.
      await call('GET', 'me');
      proxy.taken();
      await call('GET', path);
      rounds.push(proxy.taken().answered);
    }
    return Math.min(...rounds);
  };

  it.each(['step-output:s-70', 'rollup:1-16', 'rollup:65-128'])(
    'is followed with what %s holds, whatever else there is',
    async (ref) => {
      const [short, long] = [await answeredForRef('few', ref), await answeredForRef('many', ref)];
      // Sums, and the positions of events, have some digits more.
      expect(Math.abs(long - short)).toBeLessThan(500);
    },
    limitMs,
  );
});

describe('what views are made of', () => {
  /** Every row there is, and what wrote it last. */
  const rowsOf = async (table: string) => {
    const { rows } = await sql<{ row: string }>`
      select encode(hash, 'hex') || ' ' || xmin as row from ${sql.table(`throughline.${table}`)}
      order by 1`.execute(stores.database.db);
    return rows.map(({ row }) => row);
  };
  const kept = async () => ({
    counts: await rowsOf('context_summary_counts'),
    groups: await rowsOf('context_summary_groups'),
  });
  /** What a process still has to keep is kept when it has ended. */
  const nextProcess = async () => {
    await server.stop();
    server = await start();
  };

  it(
    'is counted and digested once by what it says, whichever process and context tells it, and outlives a rebuild',
    async () => {
      await grow('kept', 400);
      const view = await read('kept', 'all');
      await nextProcess();
      const first = await kept();
      expect(first.counts.length).toBeGreaterThan(10);
      expect(first.groups.length).toBeGreaterThan(10);

      const { jobId } = await call('POST', 'projections/shared-context/rebuild', {});
      const job = () => call('GET', `jobs/${jobId}`);
      const ended = await waitFor('the end of the rebuild', job, {
        until: ({ state }) => !['waiting', 'running'].includes(state),
        timeoutMs: 120_000,
      });
      expect(ended).toMatchObject({ state: 'switched' });
      expect(await read('kept', 'all')).toMatchObject({ text: view.text, items: view.items });
      await nextProcess();
      expect(await kept()).toEqual(first);

      await grow('twin', 400);
      const twin = await read('twin', 'all');
      expect(twin.tokens).toBe(view.tokens);
      await nextProcess();
      expect((await kept()).counts).toEqual(first.counts);
    },
    limitMs,
  );
});
