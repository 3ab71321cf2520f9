import { sql } from 'kysely';
import { request } from 'undici';
import { z } from 'zod';

import { openBalancer } from './harness/balancer.js';
import { type ContextClient, rootKey } from './harness/context-client.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { type SeededRandom } from './harness/seeded-random.js';
import { limitMs, sized } from './harness/size.js';
import { kindsAtFullSize } from './harness/streams.js';
import { waitUntil } from './harness/wait-until.js';

const writes = sized(200, 30_000);
const writerCount = 8;
const contexts = Array.from({ length: 24 }, (_, n) => `c-${n}`);
const partitions = 8;

const listed = z.object({ items: z.array(z.object({ contextId: z.string(), version: z.int() })) });

describe.each(kindsAtFullSize)('R-35 with streams in %s', (kind) => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'two servers and two projectors behind one address lose no write, return no stale read and take over from each other',
    () =>
      runScenario(
        `R-35 on ${kind}`,
        postgres,
        async (run) => {
          const { fleet } = run;
          const [first, second] = await Promise.all([
            fleet.startProjector('projector-1'),
            fleet.startProjector('projector-2'),
            fleet.start('api-1', { PROJECTOR: 'external' }),
            fleet.start('api-2', { PROJECTOR: 'external' }),
          ]);
          await waitUntil(
            'two projectors with half of the partitions each',
            () => owners(run),
            (owned) => owned.join() === '4,4',
          );
          const balancer = await openBalancer(() => fleet.addresses());
          const traffic = new Traffic(run, balancer.address);
          const ended = traffic.run();
          await traffic.reached(1 / 3);
          expect(await pollOtherServer(run)).toMatchObject({ output: 'said' });
          await fleet.end(first, 'SIGKILL');
          await traffic.reached(2 / 3);
          await fleet.end(run.random.pick(fleet.servers), 'SIGKILL');
          await ended;
          await waitUntil(
            'all partitions with the projector that is left',
            () => owners(run, second.instance),
            (owned) => owned.join() === `${partitions}`,
          );
          const { text } = await waitUntil(
            'a list with X-Projection-Lag: 0',
            () => list(balancer.address),
            ({ lag }) => lag === '0',
          );
          expect(versionsIn(text)).toEqual(new Map(traffic.versions).set('heard', 2));
          await balancer.close();
          const { stored, conflicts, reads, stale } = traffic;
          expect(stale).toEqual([]);
          expect(conflicts).toBeGreaterThan(0);
          return { stored, conflicts, reads };
        },
        kind,
      ),
    limitMs,
  );
});

/** Writers behind the balancer; what each stored is read at once from every server there is. */
class Traffic {
  readonly versions = new Map<string, number>();
  readonly stale: string[] = [];
  stored = 0;
  conflicts = 0;
  reads = 0;
  readonly #writers: readonly ContextClient[];

  constructor(
    private readonly scene: Run,
    balancer: string,
  ) {
    this.#writers = Array.from({ length: writerCount }, (_, n) =>
      scene.client(`writer-${n}`, () => balancer),
    );
  }

  async run(): Promise<void> {
    const { random } = this.scene;
    await Promise.all(
      contexts.map(async (id, n) => {
        const line = await this.#writers[n % writerCount]?.create(id);
        this.#learn(id, line?.version);
      }),
    );
    await Promise.all(this.#writers.map((writer) => this.#write(writer, random.fork())));
  }

  async reached(part: number): Promise<void> {
    const goal = writes * part;
    await waitUntil(
      `${goal} stored writes`,
      () => this.stored,
      (stored) => stored >= goal,
    );
  }

  async #write(writer: ContextClient, random: SeededRandom): Promise<void> {
    for (let n = 0; this.stored < writes; n++) {
      const contextId = random.pick(contexts);
      const expected = this.versions.get(contextId);
      const line = await writer.append({
        contextId,
        key: `${writer.name}-${n}`,
        ...(expected !== undefined && random.chance(0.5) && { expected }),
      });
      if (line.outcome === 'refused') throw new Error(`a write was refused: ${line.code}`);
      this[line.outcome === 'ok' ? 'stored' : 'conflicts']++;
      this.#learn(contextId, line.version ?? line.actual);
      await this.#readEverywhere(contextId, line.version ?? line.actual ?? 0);
    }
  }

  /** Reads on all servers, all but one of which have not executed the write. */
  async #readEverywhere(contextId: string, least: number): Promise<void> {
    await Promise.all(
      this.scene.fleet.servers.map(async ({ address }) => {
        const version = await this.scene.client('reader', () => address).read(contextId);
        // A killed server does not answer.
        if (version === undefined) return;
        this.reads++;
        if (version < least) this.stale.push(`${contextId}: ${version} behind ${least}`);
      }),
    );
  }

  #learn(contextId: string, version = 0): void {
    this.versions.set(contextId, Math.max(version, this.versions.get(contextId) ?? 0));
  }
}

/** The answer of a long poll on one server after a write on the other one. */
async function pollOtherServer({ fleet, client }: Run): Promise<unknown> {
  const [poll = '', notified = ''] = fleet.addresses();
  const listener = client('listener', () => notified);
  await listener.create('heard');
  const received = request(`${poll}/v1/contexts/heard/step-outputs/late?wait=60`, {
    headers: { authorization: `Bearer ${rootKey}` },
  });
  await listener.append({
    contextId: 'heard',
    key: 'late',
    body: { stepId: 'late', output: 'said' },
  });
  return (await received).body.json();
}

/** The number of partitions of each projector, or of the given one. */
async function owners({ database }: Run, instance?: string): Promise<number[]> {
  const { rows } = await sql<{ owner: string; owned: number }>`
    select owner::text, count(*)::int as owned from throughline.projection_partitions
    where owner is not null group by owner`.execute(database.db);
  return rows
    .filter(({ owner }) => instance === undefined || owner === instance)
    .map(({ owned }) => owned);
}

async function list(address: string) {
  const answer = await request(`${address}/v1/contexts?limit=500`, {
    headers: { authorization: `Bearer ${rootKey}` },
  });
  return { lag: answer.headers['x-projection-lag'], text: await answer.body.text() };
}

function versionsIn(text: string): Map<string, number> {
  const { items } = listed.parse(JSON.parse(text));
  return new Map(items.map(({ contextId, version }) => [contextId, version]));
}
