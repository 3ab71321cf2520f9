import { openTcpProxy } from '#testing';

import { type Fault, blackOut, faultsOf, strikeWhileWriting } from './harness/network-faults.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const count = sized(8, 600);

describe('R-04 with streams in postgres', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a network that breaks, hangs, crawls or loses answers causes no loss, duplicate or hang',
    () =>
      runScenario('R-04', postgres, async (run) => {
        const url = new URL(run.database.connectionString);
        const toDatabase = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
        url.port = String(toDatabase.port);
        const server = await run.fleet.start('api', { DATABASE_URL: url.href });
        const toServer = await openTcpProxy({
          host: '127.0.0.1',
          port: Number(new URL(server.address).port),
        });
        // Only the connection to the database transfers statements.
        const lostAnswers: readonly Fault[] = (['reset', 'silence'] as const).map((then) => ({
          name: `answer lost behind the commit, then ${then}`,
          strike: async () => toDatabase.dropAnswerTo('throughline_append_', then),
        }));
        const figures = await strikeWhileWriting(run, () => `http://127.0.0.1:${toServer.port}`, {
          count,
          groups: [faultsOf(toServer), [...faultsOf(toDatabase), ...lostAnswers]],
          last: [
            blackOut(
              'black hole',
              server.address,
              () => toDatabase.blackHole(),
              () => toDatabase.heal(),
            ),
          ],
        });
        await Promise.all([toDatabase.close(), toServer.close()]);
        return figures;
      }),
    limitMs,
  );
});
