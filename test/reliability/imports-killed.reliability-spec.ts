import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { rootKey } from './harness/context-client.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const kills = sized(1, 20);
const tasks = 2_400;
/** One event per task, and some for the creation, the description and the source of the story. */
const minEvents = tasks + 3;

const story = `# Story 1.2: Move\n\n## Tasks\n\n${Array.from(
  { length: tasks },
  (_, at) => `- [ ] Task ${at + 1}: Move table ${at}\n`,
).join('')}`;

const headers = { authorization: `Bearer ${rootKey}`, 'content-type': 'text/markdown' };

async function importInto(address: string, contextId: string): Promise<number> {
  const query = `format=story-markdown&name=1.2.md&as=${contextId}`;
  const url = `${address}/v1/imports?${query}`;
  const answer = await fetch(url, { method: 'POST', headers, body: story });
  return answer.status;
}

async function read(address: string, path: string): Promise<Response> {
  return fetch(`${address}/v1/contexts/${path}`, { headers });
}

async function versionOf(address: string, contextId: string): Promise<number> {
  const answer = await read(address, `${contextId}?parts=title`);
  return answer.ok ? Number(Object(await answer.json())['_version']) : 0;
}

describe('R-43', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'kill -9 during a large import: the same import completes it, and adds nothing else',
    () =>
      runScenario('R-43', postgres, async ({ fleet, random }) => {
        const { address: first } = await fleet.start('api-0');
        await importInto(first, 'whole');
        const expected = await versionOf(first, 'whole');
        expect(expected).toBeGreaterThanOrEqual(minEvents);
        let unfinished = 0;
        for (let kill = 1; kill <= kills; kill++) {
          const [serving] = fleet.servers;
          if (!serving) throw new Error('nobody serves');
          const contextId = `cut-${kill}`;
          const importing = importInto(serving.address, contextId).catch(() => 'cut');
          const reached = 1 + Math.floor(random.next() * (tasks / 4));
          // Polls without a pause, since appends follow one another within milliseconds.
          while ((await versionOf(serving.address, contextId)) < reached);
          await fleet.end(serving, 'SIGKILL');
          await importing;
          const { address } = await fleet.start(`api-${kill}`);
          if ((await versionOf(address, contextId)) < expected) unfinished++;
          expect(await importInto(address, contextId)).toBe(200);
          expect(await versionOf(address, contextId)).toBe(expected);
          const exported = await read(address, `${contextId}/export?format=story-markdown`);
          expect(await exported.text()).toBe(story);
        }
        return { kills, unfinished };
      }),
    limitMs,
  );
});
