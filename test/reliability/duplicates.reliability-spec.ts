import { countEvents } from '#testing';

import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs } from './harness/size.js';
import { kindsAtFullSize, sizedOn } from './harness/streams.js';

const lanes = 16;
const contexts = Array.from({ length: 10 }, (_, n) => `c-${n}`);

describe.each(kindsAtFullSize)('R-05 with streams in %s', (kind) => {
  const commands = sizedOn(kind, 300, 20_000);
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a command delivered several times, concurrently, late and to another server, is stored once',
    () =>
      runScenario(
        `R-05 on ${kind}`,
        postgres,
        async ({ fleet, client, random, store }) => {
          await Promise.all([fleet.start('api-1'), fleet.start('api-2')]);
          const [first, second] = fleet
            .addresses()
            .map((address, n) => client(`to-${n}`, () => address));
          if (!first || !second) throw new Error('two servers were started');
          await Promise.all(contexts.map((id) => first.create(id)));
          let sent = 0;
          const deliver = async (n: number, times: number) => {
            const contextId = contexts[n % contexts.length] ?? '';
            const to = Array.from({ length: times }, () => random.pick([first, second]));
            sent += times;
            const lines = await Promise.all(
              to.map((each) => each.append({ contextId, key: `k-${n}` })),
            );
            expect(new Set(lines.map(({ outcome, version }) => `${outcome} ${version}`)).size).toBe(
              1,
            );
          };
          await inLanes(commands, (n) => deliver(n, random.int(1, 5)));
          // By now, more than a thousand other events follow the first ones.
          await inLanes(Math.ceil(commands / 10), (n) => deliver(n, 1));
          const stored = await store.head();

          let refused = 0;
          await inLanes(Math.ceil(commands / 20), async (n) => {
            const contextId = contexts[n % contexts.length] ?? '';
            const other = { stepId: 's', output: 'another body' };
            const line = await second.append({ contextId, key: `k-${n}`, body: other });
            if (line.code === 'idempotency-key-reused') refused++;
          });
          expect(refused).toBe(Math.ceil(commands / 20));
          expect(await store.head()).toBe(stored);
          expect(await countEvents(store)).toBe(commands + contexts.length);
          return { commands, sent, refused };
        },
        kind,
      ),
    limitMs,
  );
});

async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
