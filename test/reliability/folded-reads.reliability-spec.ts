import fc from 'fast-check';
import { request } from 'undici';

import { HistoryWriter, contextCommands, contextFrom } from '#testing';

import { rootKey } from './harness/context-client.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

const contextCount = sized(100, 5_000);

describe('R-11', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a document folded from the tail equals the document from rows, byte for byte',
    () =>
      runScenario('R-11', postgres, async ({ seed, store, fleet }) => {
        const history = new HistoryWriter(store);
        const serving = fc.sample(contextCommands, { numRuns: contextCount, seed });
        for (const [n, commands] of serving.entries())
          await history.append(`c-${n}`, ...contextFrom(commands).events);
        const server = await fleet.start('api', { PROJECTOR: 'external' });
        const documents = () =>
          Promise.all(serving.map((_, n) => get(`${server.address}/v1/contexts/c-${n}`)));
        const folded = await documents();
        await fleet.startProjector('projector');
        await waitUntil(
          'a list with X-Projection-Lag: 0',
          () => lagOf(server.address),
          (lag) => lag === 0,
        );
        expect(await documents()).toEqual(folded);
        return { contexts: folded.length, bytes: folded.join('').length };
      }),
    limitMs,
  );
});

async function get(url: string): Promise<string> {
  const answer = await request(url, { headers: { authorization: `Bearer ${rootKey}` } });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}: ${text}`);
  return text;
}

async function lagOf(address: string): Promise<number> {
  const answer = await request(`${address}/v1/contexts?limit=1`, {
    headers: { authorization: `Bearer ${rootKey}` },
  });
  await answer.body.dump();
  return Number(answer.headers['x-projection-lag']);
}
