import { sql } from 'kysely';

import { type Position } from '#event-sourcing';
import { type Item, type NewContextEvent, foldStream, itemKinds } from '#shared-context';
import { did, projectAll, useTestStore } from '#testing';

import { compareSample } from '../rebuild/compare-rows.js';
import { readModelTableNames, tablesIn } from '../tables.js';
import { ContextReader } from './context-reader.js';
import { listItemHistory, beforeAllVersions } from './item-history.js';
import { findItemSizes } from './item-sizes.queries.js';
import { largeBody } from './packed-body.js';
import { MissingPayloadError, minReferencedBytes, referredPosition } from './referenced-body.js';
import { streamEvents } from './stream-events.js';

const id = { workspace: 'default', contextId: 'a' };
const large = 'x'.repeat(minReferencedBytes);
const created = did('ContextCreated', {});
const output = (text: string) => did('StepOutputAdded', { stepId: 's', output: text });

describe('the payload column of an item row', () => {
  const on = useTestStore();

  const project = async (...events: readonly NewContextEvent[]) => {
    await on.history.append(id.contextId, ...events);
    await projectAll(on.db, on.store);
  };
  const rowsOf = async (kind: string) =>
    (
      await sql<{ body: string | null; version: number | null; bytes: number | null }>`
        select i.body, e.version, i.body_bytes as bytes
        from throughline.context_items i left join throughline.events e on e.position = i.body_position
        where i.kind = ${kind} order by i.from_version`.execute(on.db)
    ).rows;

  it('refers to the event if the payload is large, and reads the same as the log', async () => {
    await project(created, output(large));
    const [row] = await rowsOf('step-output');
    const bytes = JSON.stringify(output(large).data).length;
    expect(row).toEqual({ body: null, version: 2, bytes });
    await expectRowsToReadAsLog();
    const sizes = { kinds: ['step-output'], states: [], limit: 10 } as const;
    expect(await findItemSizes(on.db, id, sizes)).toEqual({ items: 1, bytes });
    const reader = new ContextReader(on.db, on.store);
    const key = { kind: 'step-output', key: 's' } as const;
    const range = { after: beforeAllVersions, until: 2, limit: 10 };
    const [value] = await listItemHistory({ db: on.db, reader }, id, key, range);
    expect(value?.body).toEqual(output(large).data);
  });

  it('holds a small payload itself', async () => {
    await project(created, output('small'));
    const body = JSON.stringify(output('small').data);
    expect(await rowsOf('step-output')).toEqual([{ body, version: null, bytes: null }]);
  });

  it('holds the payload itself if a later event changed the item', async () => {
    const decided = did('DecisionRecorded', { decisionId: 'DEC-001', decision: large });
    const again = { decisionId: 'DEC-002', decision: 'another', supersedes: 'DEC-001' };
    await project(created, decided, did('DecisionRecorded', again));
    const [first, ended] = await rowsOf('decision');
    expect([first?.version, ended?.version]).toEqual([2, null]);
    expect(JSON.parse(ended?.body ?? '{}')).toMatchObject({ decision: large });
    await expectRowsToReadAsLog();
  });

  it('holds the payload itself if the text in the log differs', async () => {
    const { data } = output(large);
    const reordered = Object.fromEntries(Object.entries(data).toReversed());
    await project(created, { ...output(large), data: reordered } as NewContextEvent);
    const [row] = await rowsOf('step-output');
    expect(row?.version).toBeNull();
    await expectRowsToReadAsLog();
  });

  it('resolves references in forks and after a restore', async () => {
    await project(created, output(large), output(`${large} again`));
    await project(did('ContextRestored', { version: 2 }));
    await expectRowsToReadAsLog();
    const source = { contextId: 'a', version: 2 };
    await on.history.append('fork', did('ContextForked', { source }));
    await projectAll(on.db, on.store);
    const reader = new ContextReader(on.db, on.store);
    const selection = { keys: [{ kind: 'step-output', key: 's' }], bodies: true } as const;
    const { state } = await reader.read({ ...id, contextId: 'fork' }, selection);
    expect(state.get('step-output', 's')?.body).toEqual(output(large).data);
  });

  it('makes a read fail if the log was replaced', async () => {
    await project(created, output(large));
    await sql`update throughline.context_items set body_position = 1 where body_position is not null`.execute(
      on.db,
    );
    const reader = new ContextReader(on.db, on.store);
    const reading = (bodies: true | 'packed') => reader.read(id, { kinds: itemKinds, bodies });
    await expect(reading(true)).rejects.toThrow(/no event at position 1 with the payload/);
    await expect(reading('packed')).rejects.toThrow(MissingPayloadError);
  });

  it('makes a read of packed bodies fail if the log was replaced', async () => {
    await project(created, output('x'.repeat(largeBody)));
    await sql`update throughline.context_items set body_position = 1 where body_position is not null`.execute(
      on.db,
    );
    const reading = new ContextReader(on.db, on.store).read(id, {
      kinds: itemKinds,
      bodies: 'packed',
    });
    await expect(reading).rejects.toThrow(MissingPayloadError);
  });

  it('compares as equal in a rebuild whether a row holds the payload or refers to it', async () => {
    await project(created, output(large));
    await sql`create schema built`.execute(on.db);
    for (const name of readModelTableNames)
      await sql`create table ${sql.table(`built.${name}`)} as table ${sql.table(`throughline.${name}`)}`.execute(
        on.db,
      );
    const inRow = sql`update built.context_items i set body = e.data, body_position = null, body_bytes = null
      from throughline.events e where e.position = i.body_position`;
    await inRow.execute(on.db);
    const compare = () => compareSample(on.db, tablesIn('built'));
    expect(await compare()).toEqual({ compared: 1, different: [] });
    await sql`update built.context_items set body = '7' where kind = 'step-output'`.execute(on.db);
    expect((await compare()).different).toHaveLength(1);
  });

  it('has no reference into a log in another database', () => {
    expect(referredPosition('12' as Position, `"${large}"`)).toBe('12');
    expect(referredPosition('12/12' as Position, `"${large}"`)).toBeNull();
  });

  async function expectRowsToReadAsLog() {
    const reader = new ContextReader(on.db, on.store);
    const { head, state } = await reader.read(id, { kinds: itemKinds });
    const folded = await foldStream(streamEvents(on.store), id, head?.version ?? 0);
    const byText = (items: Iterable<Item>) =>
      new Map(Array.from(items, (item) => [`${item.kind} ${item.key}`, item]));
    expect(byText(state.values())).toEqual(byText(folded));
  }
});
