import { sql } from 'kysely';

import { contextStream } from '#shared-context';
import { did, listenToStatements, useTestStore } from '#testing';

import { liveTables } from '../tables.js';
import { decodeBatch } from './context-runs.js';
import { projectBatch } from './project-batch.js';
import { sharedContextProjection } from './shared-context.projection.js';

const output = (stepId: string) => did('StepOutputAdded', { stepId, output: 1 });

describe('projectBatch', () => {
  const on = useTestStore();

  it('takes five statements for any number of events and contexts', async () => {
    const sent = listenToStatements(on.pool);
    // Always from the first event: events that the rows already hold are skipped.
    const project = async (contexts: readonly string[]) => {
      const rows = { projection: sharedContextProjection, tables: liveTables, store: on.store };
      const batches = contexts.map((contextId) =>
        on.store.readStream(contextStream({ workspace: 'default', contextId }), {
          from: 1,
          limit: 100,
        }),
      );
      const batch = await decodeBatch((await Promise.all(batches)).flat());
      const texts = await sent.during(() =>
        on.db.transaction().execute((trx) => projectBatch(trx, rows, batch)),
      );
      return texts.filter((text) => text !== 'begin' && text !== 'commit');
    };
    const contexts = ['a', 'b', 'c'];
    for (const id of contexts) await on.history.append(id, did('ContextCreated', {}), output('s'));
    await project(contexts);

    const quarantined = expect.stringMatching(/from throughline.dead_letters/);
    const heads = expect.stringMatching(/^select c\.\* /);
    const current = expect.stringMatching(/^select w\.workspace, .* cross join lateral/);
    const write = expect.stringMatching(/^with heads as/);
    const agents = expect.stringMatching(/^insert into \S+context_agents/);
    await on.history.append('a', output('t'));
    expect(await project(['a'])).toEqual([quarantined, heads, current, write, agents]);
    await on.history.append('a', ...[1, 2, 3, 4, 5].map((n) => output(`u-${n}`)));
    await on.history.append('b', output('t'), output('s'));
    expect(await project(['a', 'b'])).toEqual([quarantined, heads, current, write, agents]);
  });

  it('writes each of many rows once, a few thousand per statement', async () => {
    const members = (value: number) =>
      did('PreferencesSet', {
        values: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, value])),
      });
    await on.history.append('a', did('ContextCreated', {}), members(1));
    const sent = listenToStatements(on.pool);
    const project = async (from: number) => {
      const rows = { projection: sharedContextProjection, tables: liveTables, store: on.store };
      const stream = contextStream({ workspace: 'default', contextId: 'a' });
      const batch = await decodeBatch(await on.store.readStream(stream, { from, limit: 100 }));
      const texts = await sent.during(() =>
        on.db.transaction().execute((trx) => projectBatch(trx, rows, batch)),
      );
      return texts
        .filter((text) => /^with heads|^insert into \S+context_items|^update/.test(text))
        .map((text) => text.slice(0, 10));
    };
    const [first, later, alone] = ['with heads', 'insert int', 'update "th'];
    expect(await project(1)).toEqual([first, later, later]);
    await on.history.append('a', members(2));
    expect(await project(3)).toEqual([alone, alone, first, later, later]);
    const { rows } = await sql`
      select from_version, to_version, count(*)::int from throughline.context_items
      where kind = 'preference' group by 1, 2 order by 1`.execute(on.db);
    expect(rows).toEqual([
      { from_version: 2, to_version: 3, count: 10_000 },
      { from_version: 3, to_version: null, count: 10_000 },
    ]);
  });
});
