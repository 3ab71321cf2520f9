import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { Writing } from './harness/writing.js';

const stops = sized(3, 50);
const appendsEach = 400;

describe('R-18', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'SIGTERM under load: requests in progress are answered, and the exit is clean',
    () =>
      runScenario('R-18', postgres, async ({ fleet, client, random }) => {
        await fleet.start('api-0');
        const contexts = ['a', 'b', 'c', 'd'];
        const clients = Array.from({ length: 8 }, (_, n) => client(`writer-${n}`));
        await Promise.all(contexts.map((id, n) => clients[n]?.create(id)));
        const writing = new Writing(clients, contexts, stops * appendsEach);
        let slowestMs = 0;
        for (let stop = 0; stop < stops; stop++) {
          const [serving] = fleet.servers;
          await fleet.start(`api-${stop + 1}`);
          await writing.reached((stop + 0.3 + random.next() / 2) / (stops + 1));
          if (!serving) throw new Error('nobody serves');
          const asked = performance.now();
          await expect(fleet.end(serving, 'SIGTERM')).resolves.toBe(0);
          slowestMs = Math.max(slowestMs, Math.round(performance.now() - asked));
        }
        const appends = (await writing.finished()).length;
        return { stops, appends, slowestMs };
      }),
    limitMs,
  );
});
