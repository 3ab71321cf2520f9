import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const rounds = sized(1, 10);
const atOnce = sized(500, 2_000);
/**
 * All requests compete for two connections, so that the last answer takes the processor time of all. The smoke run
 * shares the processor with other suites, and only detects requests that hang.
 */
const deadlineMs = sized(45_000, 15_000);

describe('R-19', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'far more concurrent requests than connections cause no deadlock, and work continues as before',
    () =>
      runScenario('R-19', postgres, async ({ fleet, client }) => {
        await fleet.start('api', { THROUGHLINE_POOL_SIZE: '2' });
        const one = client('one');
        await one.create('shared');
        const outcomes = new Map<string, number>();
        for (let round = 0; round < rounds; round++) {
          // Each client reads, writes to its own context and to a shared one: on two connections for everything except
          // appends.
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
