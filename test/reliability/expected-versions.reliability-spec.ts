import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { type SeededRandom } from './harness/seeded-random.js';
import { limitMs } from './harness/size.js';
import { kindsAtFullSize, sizedOn } from './harness/streams.js';
import { waitUntil } from './harness/wait-until.js';

const clientCount = 20;
const contexts = Array.from({ length: 10 }, (_, n) => `c-${n}`);

describe.each(kindsAtFullSize)('R-06 with streams in %s', (kind) => {
  const operations = sizedOn(kind, 800, 100_000);
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'conditional writes and reads on two servers, one of which is killed, are linearizable',
    () =>
      runScenario(
        `R-06 on ${kind}`,
        postgres,
        async ({ fleet, client, random }) => {
          await Promise.all([fleet.start('api-1'), fleet.start('api-2')]);
          const clients = Array.from({ length: clientCount }, (_, n) =>
            client(`client-${n}`, () => fleet.addresses()[n % fleet.servers.length] ?? ''),
          );
          await Promise.all(contexts.map((id, n) => clients[n]?.create(id)));
          const counts = { reads: 0, stored: 0, conflicts: 0 };
          const done = () => counts.reads + counts.stored + counts.conflicts;
          const work = async (each: (typeof clients)[number], own: SeededRandom) => {
            const known = new Map<string, number>();
            for (let n = 0; done() < operations; n++) {
              const contextId = own.pick(contexts);
              const expected = known.get(contextId);
              if (expected === undefined || own.chance(0.3)) {
                const version = await each.read(contextId);
                if (version !== undefined) known.set(contextId, version);
                counts.reads++;
                continue;
              }
              const line = await each.append({ contextId, key: `${each.name}-${n}`, expected });
              known.set(contextId, line.version ?? line.actual ?? expected);
              counts[line.outcome === 'ok' ? 'stored' : 'conflicts']++;
            }
          };
          const working = Promise.all(clients.map((each) => work(each, random.fork())));
          await waitUntil('half of the operations', done, (count) => count > operations / 2);
          await fleet.end(random.pick(fleet.servers), 'SIGKILL');
          await working;
          expect(counts.stored).toBeGreaterThan(0);
          expect(counts.conflicts).toBeGreaterThan(0);
          return counts;
        },
        kind,
      ),
    limitMs,
  );
});
