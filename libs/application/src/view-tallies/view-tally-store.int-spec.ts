import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { sql } from 'kysely';

import {
  type ViewSource,
  entriesWithin,
  renderView,
  tokenizerOf,
  viewSource,
  wholeText,
} from '#context-views';
import { findTextCounts, storeTextCounts } from '#read-models';
import { type Item } from '#shared-context';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { ViewTallyStore } from './view-tally-store.js';

const id = { workspace: 'default', contextId: 'c' };
const tokenizer = tokenizerOf('o200k_base');
const budget = { maxTokens: 2_000, tokenizer, newest: 3, overflow: 'refuse' as const };
const steps = 1_000;

/** Outputs of agents; every call creates new items, as every read does. */
function newSource(): ViewSource {
  const items = Array.from({ length: steps }, (_, at): Item => {
    const output = `Step ${at} has changed src/part-${at}.ts and run ${at * 3} tests. ${'All of it was read again and agreed on. '.repeat(8)}`;
    const body = { stepId: `s${at}`, output };
    return { kind: 'step-output', key: `s${at}`, fromVersion: at + 2, state: {}, body };
  });
  return viewSource({ contextId: 'c', items });
}

describe('the tallies and counts of views', () => {
  let server: TestServer;
  let database: TestDatabase;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
  });
  afterAll(async () => {
    await database.close();
    await server.close();
  });

  const noFault = {
    failed: (error: unknown) => {
      throw error;
    },
  };
  const render = async (source: ViewSource, summary: ViewTallyStore) => {
    await summary.count(id, [source], budget);
    return renderView(source, undefined, budget);
  };
  const rowsIn = async (table: string) => {
    const { rows } = await sql<{ hash: string }>`
      select encode(hash, 'hex') as hash from ${sql.table(`throughline.${table}`)} order by 1`.execute(
      database.db,
    );
    return rows.map(({ hash }) => hash);
  };
  const untalliedIn = ({ timeline }: ViewSource) => timeline.groups.untallied();

  it('are computed once, and reused by the next process for the same bytes', async () => {
    const first = new ViewTallyStore(database.db, noFault);
    const source = newSource();
    await first.load(id, source.timeline, budget);
    const far = untalliedIn(source).length;
    const view = await render(source, first);
    first.store(id, [source.timeline]);
    await first.settled();
    const storedRows = await Promise.all(
      ['context_summary_groups', 'context_summary_counts'].map(rowsIn),
    );
    expect(storedRows.every((rows) => rows.length > 10)).toBe(true);

    const second = new ViewTallyStore(database.db, noFault);
    const reloaded = newSource();
    expect(untalliedIn(reloaded)).toHaveLength(far);
    await second.load(id, reloaded.timeline, budget);
    expect(untalliedIn(reloaded)).toHaveLength(far - (storedRows[0]?.length ?? 0));
    const near = entriesWithin(reloaded.timeline, budget.maxTokens);
    expect(near.length).toBeGreaterThan(10);
    expect(near.every(({ texts }) => texts.hasUnits(tokenizer, 'whole'))).toBe(true);
    expect(await render(reloaded, second)).toEqual(view);

    // No known tally is computed or written again.
    expect(reloaded.timeline.groups.takeFresh()).toEqual([]);
  });

  it('are identified by their content: other entries get their own tallies', async () => {
    const summary = new ViewTallyStore(database.db, noFault);
    const source = newSource();
    const [first, ...others] = source.timeline.entries;
    if (!first) throw new Error('there is no entry');
    const changed = { ...source, timeline: source.timeline.filter((entry) => entry !== first) };
    await summary.load(id, source.timeline, budget);
    expect(source.timeline.groups.untallied().map((block) => block.first)).not.toContain(0);
    expect(changed.timeline.entries).toEqual(others);
    await summary.load(id, changed.timeline, budget);
    expect(changed.timeline.groups.untallied().map((block) => block.first)).toContain(0);
  });

  it('count large texts in slices, while other work continues', async () => {
    const summary = new ViewTallyStore(database.db, noFault);
    const output = 'a line of what a tool has printed\n'.repeat(10_000) + 'x'.repeat(100_000);
    const body = { stepId: 'large', output };
    const item: Item = { kind: 'step-output', key: 'large', fromVersion: 2, state: {}, body };
    const source = viewSource({ contextId: 'c', items: [item] });
    let turns = 0;
    let isCounting = true;
    const others = (async () => {
      for (; isCounting; turns++) await setImmediate();
    })();
    await summary.count(id, [source], budget);
    isCounting = false;
    await others;
    expect(turns).toBeGreaterThan(5);
    const [entry] = source.timeline.entries;
    const text = entry ? wholeText(entry) : '';
    expect(entry?.texts.hasUnits(tokenizer, 'whole')).toBe(true);
    expect(entry?.wholeUnits(tokenizer)).toBe(tokenizer.unitsOf(text));
  });

  it('are not shared between workspaces or contexts', async () => {
    for (const other of [
      { ...id, workspace: 'other' },
      { ...id, contextId: 'other' },
    ]) {
      const source = newSource();
      await new ViewTallyStore(database.db, noFault).load(other, source.timeline, budget);
      expect(untalliedIn(source)).toHaveLength(untalliedIn(newSource()).length);
    }
  });

  it('can be stored by several processes at once, in any order', async () => {
    const counted = { workspace: 'both', tokenizer: 'o200k_base' };
    for (let round = 0; round < 20; round++) {
      const counts = Array.from({ length: 600 }, (_, at) => ({
        hash: createHash('sha256').update(`${round} ${at}`).digest('hex'),
        units: at,
      }));
      await Promise.all(
        [counts, counts.toReversed()].map((each) => storeTextCounts(database.db, counted, each)),
      );
      const hashes = counts.map(({ hash }) => hash);
      expect(await findTextCounts(database.db, counted, hashes)).toHaveLength(600);
    }
  });

  it('delay the stop of a process only for the batch that is being written', async () => {
    const other = { ...id, contextId: 'stopped' };
    const summary = new ViewTallyStore(database.db, noFault);
    const stopped = await database.db.transaction().execute(async (transaction) => {
      await sql`lock table throughline.context_summary_groups`.execute(transaction);
      for (const contextId of ['first', 'second', 'third']) {
        const source = newSource();
        await render(source, summary);
        summary.store({ ...other, contextId }, [source.timeline]);
        // The first batch has begun.
        await setImmediate();
      }
      return { end: summary.stop(Promise.resolve()) };
    });
    await stopped.end;
    const { rows } = await sql<{ context_id: string }>`
      select distinct context_id from throughline.context_summary_groups where context_id <> 'c'`.execute(
      database.db,
    );
    expect(rows).toEqual([{ context_id: 'first' }]);
  });

  it('report failed reads and writes without failing views', async () => {
    const errors: unknown[] = [];
    const closed = await openTestDatabase(server);
    await closed.close();
    const summary = new ViewTallyStore(closed.db, { failed: (error) => errors.push(error) });
    const source = newSource();
    expect(await render(source, summary)).toHaveProperty('text');
    summary.store(id, [source.timeline]);
    await summary.settled();
    await summary.load(id, newSource().timeline, budget);
    // Counts and tallies could not be written, and nothing could be read.
    expect(errors).toHaveLength(3);
  });
});
