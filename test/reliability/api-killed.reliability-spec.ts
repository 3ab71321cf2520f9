import { openBalancer } from './harness/balancer.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { type StreamsKind, sizedOn } from './harness/streams.js';
import { Writing } from './harness/writing.js';

const clientCount = 16;
const contextCount = 40;

describe.each<StreamsKind>(['postgres', 'kurrentdb'])('R-01 with streams in %s', (kind) => {
  const kills = sized(kind === 'postgres' ? 2 : 1, 30);
  const appends = sizedOn(kind, 400, 32_000);
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'kill -9 of load-balanced servers loses no acknowledged write and stores none twice',
    () =>
      runScenario(
        `R-01 on ${kind}`,
        postgres,
        async ({ fleet, client, random }) => {
          await Promise.all([fleet.start('api-1'), fleet.start('api-2')]);
          const balancer = await openBalancer(() => fleet.addresses());
          const contexts = Array.from({ length: contextCount }, (_, n) => `c-${n}`);
          const clients = Array.from({ length: clientCount }, (_, n) =>
            client(`writer-${n}`, () => balancer.address),
          );
          await Promise.all(contexts.map((id, n) => clients[n % clientCount]?.create(id)));
          const writing = new Writing(clients, contexts, appends);
          for (let kill = 1; kill <= kills; kill++) {
            await writing.reached((kill - 0.5 + random.next() / 2) / (kills + 1));
            await fleet.end(random.pick(fleet.servers), 'SIGKILL');
            await fleet.start(`api-${kill + 2}`);
          }
          const acknowledged = await writing.finished();
          // Repeats every write on any server: the answer must have the same version, which the audit compares.
          const repeated = random.pick(clients);
          for (const { stream, key = '', version } of acknowledged.slice(-20 * kills)) {
            const contextId = stream.slice(stream.indexOf(':') + 1);
            expect(await repeated.append({ contextId, key })).toMatchObject({
              outcome: 'ok',
              version,
            });
          }
          await balancer.close();
          return { kills, appends: acknowledged.length };
        },
        kind,
      ),
    limitMs,
  );
});
