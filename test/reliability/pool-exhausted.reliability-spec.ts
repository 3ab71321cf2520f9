import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const rounds = sized(1, 10);
const atOnce = sized(500, 2_000);
/**
 * All of them wait for one another on two connections, so the last answer takes as long as the processor needs for all. The
 * smoke run shares it with other suites, and only finds requests that hang.
 */
const deadlineMs = sized(45_000, 15_000);

describe('R-19', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'far more requests at once than connections: none deadlocks, and all goes on as before',
    () =>
      runScenario('R-19', postgres, async ({ fleet, client }) => {
        await fleet.start('api', { THROUGHLINE_POOL_SIZE: '2' });
        const one = client('one');
        await one.create('shared');
        const outcomes = new Map<string, number>();
        for (let round = 0; round < rounds; round++) {
          // Each reads, writes to a context of its own and to one of all: on two connections for all but appends.
          const lines = await Promise.all(
            Array.from({ length: atOnce }, async (_, n) => {
              const each = client(`client-${n}`, undefined, deadlineMs);
              const created = await each.attempt({
                contextId: `c-${round}-${n}`,
                key: `create-${round}-${n}`,
                path: '',
                expected: 0,
              });
              await each.read('shared');
              return [created, await each.attempt({ contextId: 'shared', key: `k-${round}-${n}` })];
            }),
          );
          for (const { outcome, code } of lines.flat()) {
            const name = outcome === 'ok' ? 'ok' : (code ?? outcome);
            outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
          }
          expect(await one.append({ contextId: 'shared', key: `after-${round}` })).toMatchObject({
            outcome: 'ok',
          });
        }
        for (const name of outcomes.keys())
          expect(name).toMatch(
            /^(ok|unavailable|outcome-unknown|rate-limited|concurrency-exhausted)$/,
          );
        return Object.fromEntries(outcomes);
      }),
    limitMs,
  );
});
