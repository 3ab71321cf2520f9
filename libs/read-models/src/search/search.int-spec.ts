import fc from 'fast-check';
import { sql } from 'kysely';

import { type JsonObject, type JsonValue, type Position } from '#event-sourcing';
import { type NewContextEvent, contextStream, renderDocument } from '#shared-context';
import {
  contextCommands,
  contextFrom,
  did,
  jsonValue,
  listenToStatements,
  readLog,
  useTestStore,
  waitForProjector,
  waitFor,
  sized,
} from '#testing';

import { ContextReader } from '../contexts/context-reader.js';
import { wholeDocument } from '../contexts/item-selection.js';
import { partitionOf } from '../projector/partition.js';
import { Projector } from '../projector/projector.js';
import { containsJson } from './contains-json.js';
import { listContexts } from './context-list.queries.js';
import {
  countUnindexedEvents,
  findContextsToIndex,
  findSearchStatus,
  readModelState,
} from './search-lag.queries.js';
import { indexBatch } from './index-batch.js';
import { indexContext } from './index-context.js';
import { IndexingPass } from './indexing-pass.js';
import { progressFrom } from './log-progress.js';
import { type Search } from './search-conditions.js';
import { SearchIndexer } from './search-indexer.js';
import { splitPattern } from './search-pattern.js';
import { recordFailure } from './search-progress.js';
import { searchTexts } from './search-texts.js';
import { parseWordQuery } from './search-words.js';
import { searchedMember, searchedMembers } from './searched-members.js';
import { wordsOf } from './words.js';

const workspace = 'default';

describe('the search index', () => {
  const on = useTestStore();

  const project = async () => {
    const projector = new Projector(on.db, on.store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  };
  const index = async () => {
    const indexNext = async () => {
      const behind = await findContextsToIndex(on.db, 100);
      for (const id of behind) await indexContext(on, id);
      return behind;
    };
    await waitFor('the index of every context', indexNext, { until: (behind) => !behind.length });
  };
  /** Indexes the log after `after` like an indexer that follows it; returns the position of its end. */
  const indexLog = async (after: Position | 'start'): Promise<Position | 'start'> => {
    const log = await readLog(on.store, after);
    for (const id of await indexBatch(on, log)) while ((await indexContext(on, id)) === 'more');
    return log.at(-1)?.position ?? after;
  };
  const find = async (search: Search) => {
    const filter = { workspace, contexts: null, workflows: null, search };
    const found = await listContexts(on.db, filter, { after: undefined, limit: 500 });
    return found.map(({ contextId }) => contextId).toSorted();
  };
  const containing = (pattern: JsonObject) => find({ parts: splitPattern(pattern) });
  const matching = (text: string) => find({ words: parseWordQuery(text) });
  const rows = async () => {
    const found = await sql`
      select workspace, context_id, kind, key, from_version, part, to_version, item_version, words, value
      from throughline.search_items order by 1, 2, 3, 4, 5, 6`.execute(on.db);
    return found.rows;
  };
  const documentOf = async (contextId: string) => {
    const reader = new ContextReader(on.db, on.store);
    const { state, head } = await reader.read({ workspace, contextId }, wholeDocument);
    return renderDocument(state.values(), {
      workspace,
      contextId,
      version: head?.version ?? 0,
      lastModifiedAt: '',
      lastModifiedBy: '',
      size: { events: 0, bytes: 0, tokens: 0 },
    });
  };

  it('finds what the documents contain after any restores, forks and steps of indexing', async () => {
    for (const [n, run] of fc.sample(steps, { numRuns: sized(2, 6), seed: 20261121 }).entries()) {
      const contexts = await play(`c-${n}`, run);
      await project();
      await index();
      const documents = new Map<string, JsonObject>();
      for (const contextId of contexts) documents.set(contextId, await documentOf(contextId));
      const all = [...documents.values()];
      for (const pattern of patternsFrom(all, n)) {
        const holding = contexts.filter((id) => containsJson(documents.get(id), pattern));
        const found = (await containing(pattern)).filter((id) => documents.has(id));
        expect({ pattern, found }).toEqual({ pattern, found: holding.toSorted() });
      }
      const words = new Map(contexts.map((id) => [id, wordsIn(documents.get(id) ?? {})]));
      for (const word of new Set([...words.values()].flatMap((own) => [...own]))) {
        const holding = contexts.filter((id) => words.get(id)?.has(word));
        const found = (await matching(word)).filter((id) => documents.has(id));
        expect({ word, found }).toEqual({ word, found: holding.toSorted() });
      }
    }
    const inSteps = await rows();
    await sql`delete from throughline.search_items`.execute(on.db);
    await sql`delete from throughline.search_places`.execute(on.db);
    await index();
    expect(await rows()).toEqual(inSteps);
  }, 120_000);

  async function play(name: string, run: readonly Step[]): Promise<string[]> {
    const contexts = [`${name}-0`];
    let indexed: Position | 'start' = await on.store.head();
    const sizes = new Map([[`${name}-0`, 1]]);
    await on.history.append(`${name}-0`, did('ContextCreated', { preferences: { a: 1, b: 2 } }));
    for (const step of run) {
      if (step.does === 'index') {
        await project();
        if (step.index === 'each context') await index();
        if (step.index === 'the log') indexed = await indexLog(indexed);
        continue;
      }
      const context = contexts[step.context % contexts.length] ?? '';
      const size = sizes.get(context) ?? 1;
      if (step.does === 'write') {
        await on.history.append(context, ...step.events);
        sizes.set(context, size + step.events.length);
        continue;
      }
      const version = Math.max(size - step.back, 1);
      if (step.does === 'restore') {
        await on.history.append(context, did('ContextRestored', { version }));
        sizes.set(context, size + 1);
      } else {
        const fork = `${name}-${contexts.length}`;
        const source = { contextId: context, version };
        await on.history.append(fork, did('ContextForked', { source }));
        contexts.push(fork);
        sizes.set(fork, 1);
      }
    }
    return contexts;
  }

  it('finds words anywhere in a context, and phrases within one text', async () => {
    await on.history.append(
      'a',
      did('ContextCreated', { title: 'Checkout flow', metadata: { Team: 'core-payments' } }),
      did('StepOutputAdded', {
        stepId: 'design-l2',
        output: { store: 'PostgreSQL', ports: [5432] },
      }),
      did('DecisionRecorded', { decisionId: 'DEC-001', decision: 'Use event sourcing' }),
    );
    await on.history.append('b', did('ContextCreated', { title: 'Search flow: event' }));
    await project();
    await index();
    expect(await matching('flow')).toEqual(['a', 'b']);
    expect(await matching('checkout postgresql')).toEqual(['a']);
    expect(await matching('"event sourcing"')).toEqual(['a']);
    expect(await matching('"flow event"')).toEqual(['b']);
    expect(await matching('"postgresql ports"')).toEqual([]);
    expect(await matching('flow -sourcing')).toEqual(['b']);
    expect(await matching('-flow')).toEqual([]);
    expect(await matching('5432 or nothing')).toEqual(['a']);
    expect(await matching('DESIGN-L2 core-payments team dec-001')).toEqual(['a']);
    expect(await matching('decisionId')).toEqual([]);
  });

  it('indexes texts that exceed the limits of PostgreSQL', async () => {
    const long = Array.from({ length: 90_000 }, (_, n) => `w${n}`).join(' ');
    const hard = ['x'.repeat(900_000), '1,'.repeat(400_000), `NUL \0 and \ud800 lone`];
    for (const [n, output] of [long, ...hard].entries())
      await on.history.append(`c-${n}`, did('ContextCreated', {}), outputOf(output));
    const deep = Array.from({ length: 60 }).reduce<JsonValue>((inner) => [inner], 'deep');
    await on.history.append('deep', did('ContextCreated', {}), outputOf(deep));
    await project();
    await index();
    expect(await countUnindexedEvents(on.db)).toBe(0);
    expect(await matching('w0 w45000 w89999')).toEqual(['c-0']);
    expect(await matching('"w50000 w50001 w50002"')).toEqual(['c-0']);
    expect(await matching('x'.repeat(900))).toEqual(['c-1']);
    expect(await matching('"1 1 1"')).toEqual(['c-2']);
    expect(await matching('"nul and lone"')).toEqual(['c-3']);
    expect(await matching('deep')).toEqual(['deep']);
    expect(await containing({ stepOutputs: { s: `NUL \0 and \ud800 lone` } })).toEqual(['c-3']);
    expect(await containing({ stepOutputs: { s: `NUL � and � lone` } })).toEqual([]);
    expect(await containing({ stepOutputs: { s: deep } })).toEqual(['deep']);
  }, 120_000);

  it('indexes many small values a few thousand per statement', async () => {
    await on.history.append('c', did('ContextCreated', {}));
    for (let from = 0; from < 20_000; from += 5_000) {
      const members = Array.from({ length: 5_000 }, (_, n) => [`k${from + n}`, from + n]);
      await on.history.append('c', did('PreferencesSet', { values: Object.fromEntries(members) }));
    }
    await project();
    const sent = listenToStatements(on.pool);
    const texts = await sent.during(index);
    // Each statement inserts some thousand values at most.
    const inserted = texts.filter((text) =>
      text.startsWith('insert into throughline.search_items'),
    );
    expect(inserted.length).toBeGreaterThan(3);
    expect(await containing({ userPreferences: { k19999: 19_999, k0: 0 } })).toEqual(['c']);
  });

  it('resumes, and searches the old rows until new ones are complete', async () => {
    await on.history.append('c', did('ContextCreated', {}), outputOf('first'));
    await project();
    await index();
    const expected = await rows();
    await sql`alter table throughline.context_items set schema public`.execute(on.db);
    await sql`create table throughline.context_items (like public.context_items including all)`.execute(
      on.db,
    );
    await sql`insert into throughline.context_items select * from public.context_items`.execute(
      on.db,
    );
    expect(await countUnindexedEvents(on.db)).toBe(2);
    expect(await matching('first')).toEqual(['c']);
    await index();
    expect(await rows()).toEqual(expected);
    await on.history.append('c', outputOf('second'));
    await project();
    expect(await countUnindexedEvents(on.db)).toBe(1);
    await index();
    expect(await matching('first')).toEqual([]);
    expect(await matching('second')).toEqual(['c']);
  });

  it('writes only the changes of a restore, and preserves past rows', async () => {
    const outputs = Array.from({ length: 20 }, (_, n) =>
      did('StepOutputAdded', { stepId: `s-${n}`, output: 'original' }),
    );
    const change = did('StepOutputAdded', { stepId: 's-3', output: 'changed' });
    const restored = did('ContextRestored', { version: 21 });
    await on.history.append('c', did('ContextCreated', {}), ...outputs, change, restored);
    await project();
    await index();
    const { rows: third } = await sql`
      select from_version, to_version, item_version from throughline.search_items
      where key = 's-3' order by from_version`.execute(on.db);
    expect(third).toEqual([
      { from_version: 5, to_version: 22, item_version: 5 },
      { from_version: 22, to_version: 23, item_version: 22 },
      { from_version: 23, to_version: null, item_version: 5 },
    ]);
    expect(await rows()).toHaveLength(2 + 20 + 2);
    expect([await matching('original'), await matching('changed')]).toEqual([['c'], []]);
  });

  it('indexes the log of many contexts in as many statements as the log of one', async () => {
    const indexed = async (contexts: readonly string[]) => {
      const after = await on.store.head();
      for (const id of contexts)
        await on.history.append(id, did('ContextCreated', { title: 'flow' }), outputOf(id));
      await project();
      const sent = listenToStatements(on.pool);
      const { statements } = await sent.costs(async () => void (await indexLog(after)));
      return statements;
    };
    const alone = await indexed(['one']);
    expect(await indexed(Array.from({ length: 40 }, (_, n) => `c-${n}`))).toBe(alone);
    expect(alone).toBeLessThan(16);
    expect(await matching('flow')).toHaveLength(41);
    expect(await matching('flow one')).toEqual(['one']);
    expect(await countUnindexedEvents(on.db)).toBe(0);
  });

  it('leaves contexts for separate indexing if their payloads exceed the limit of a transaction', async () => {
    const text = 'word '.repeat(180_000);
    const contexts = Array.from({ length: 12 }, (_, n) => `large-${n}`);
    const after = await on.store.head();
    for (const id of contexts)
      await on.history.append(id, did('ContextCreated', { title: 'flow' }), outputOf(text));
    await project();
    const left = await indexBatch(on, await readLog(on.store, after));
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(contexts.length);
    for (const id of left) await indexContext(on, id);
    expect(await matching('flow word')).toEqual(contexts.toSorted());
  });

  it('leaves contexts for separate indexing if their events touch too many items', async () => {
    const after = await on.store.head();
    const values = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`m-${n}`, 'flow']));
    await on.history.append('many', did('ContextCreated', {}), did('PreferencesSet', { values }));
    await on.history.append('few', did('ContextCreated', { title: 'flow' }));
    await project();
    expect(await indexBatch(on, await readLog(on.store, after))).toEqual([
      { workspace, contextId: 'many' },
    ]);
    expect(await matching('flow')).toEqual(['few']);
    await indexContext(on, { workspace, contextId: 'many' });
    expect(await matching('flow')).toEqual(['few', 'many']);
  });

  it('indexes the contexts of other partitions while one is stopped, and its contexts once it continues', async () => {
    const [still, other] = ['a', 'b'] as const;
    const partition = partitionOf(contextStream({ workspace, contextId: still }));
    expect(partitionOf(contextStream({ workspace, contextId: other }))).not.toBe(partition);
    const pass = new IndexingPass(on, new AbortController().signal, undefined);
    const before = await readModelState(on.db);
    for (const id of [still, other])
      await on.history.append(id, did('ContextCreated', { title: 'flow' }), outputOf('x'));
    await project();
    const now = await readModelState(on.db);
    const reached = new Map(now.reached).set(partition, 'start');
    const first = await pass.follow(progressFrom(on.store, before), { ...now, reached });
    expect([await matching('flow'), first.left]).toEqual([[other], 'something']);
    const second = await pass.follow(first.progress, now);
    expect([await matching('flow'), second.left]).toEqual([[still, other], 'something']);
    expect(await pass.follow(second.progress, now)).toMatchObject({ left: 'nothing' });
  });

  it('retries failed contexts before others, even if they were written to recently', async () => {
    for (const id of ['cold', 'hot'])
      await on.history.append(id, did('ContextCreated', { title: 'flow' }));
    await project();
    await sql`update throughline.contexts set modified_at = '2999-01-01' where context_id = 'hot'`.execute(
      on.db,
    );
    await recordFailure(on.db, { workspace, contextId: 'hot' }, 'refused');
    expect(await findContextsToIndex(on.db, 1)).toEqual([{ workspace, contextId: 'cold' }]);
    await sql`update throughline.search_places set tried_at = now() - interval '1 hour'`.execute(
      on.db,
    );
    expect(await findContextsToIndex(on.db, 1)).toEqual([{ workspace, contextId: 'hot' }]);
  });

  it('skips events that are indexed, and reads missed ones again', async () => {
    const start = await on.store.head();
    await on.history.append('c', did('ContextCreated', { title: 'first' }), outputOf('x'));
    await project();
    await indexLog(start);
    const expected = await rows();
    await indexLog(start);
    expect(await rows()).toEqual(expected);
    await on.history.append('c', outputOf('missed'));
    const after = await on.store.head();
    await on.history.append('c', did('StepOutputAdded', { stepId: 't', output: 'found' }));
    await project();
    expect(await indexBatch(on, await readLog(on.store, after))).toEqual([
      { workspace, contextId: 'c' },
    ]);
    await indexLog(after);
    expect(await matching('missed found')).toEqual(['c']);
  });

  it('leaves no partial rows if it is aborted', async () => {
    await on.history.append('c', did('ContextCreated', { title: 'whole' }), outputOf('x'));
    await project();
    const id = { workspace, contextId: 'c' };
    await expect(indexContext(on, id, AbortSignal.abort())).rejects.toThrow('aborted');
    expect([await rows(), await countUnindexedEvents(on.db)]).toEqual([[], 2]);
  });

  it('leaves contexts that newer code indexes unchanged', async () => {
    await on.history.append('c', did('ContextCreated', { title: 'new' }));
    await project();
    await index();
    const expected = await rows();
    await sql`update throughline.search_places set code_version = 1000`.execute(on.db);
    await on.history.append('c', outputOf('x'));
    await project();
    expect(await findContextsToIndex(on.db, 10)).toEqual([]);
    await expect(indexContext(on, { workspace, contextId: 'c' })).resolves.toBe('busy');
    expect([await rows(), await countUnindexedEvents(on.db)]).toEqual([expected, 1]);
  });

  it('removes contexts that the read model no longer holds', async () => {
    await on.history.append('c', did('ContextCreated', { title: 'removed' }));
    await project();
    await index();
    await sql`delete from throughline.contexts`.execute(on.db);
    await index();
    expect(await rows()).toEqual([]);
    expect(await findContextsToIndex(on.db, 10)).toEqual([]);
  });

  it('leaves the pending lists of the indexes empty once everything is indexed', async () => {
    await sql`create extension pgstattuple`.execute(on.db);
    const waitingPages = async () => {
      const { rows: found } = await sql<{ pages: number }>`
        select (pgstatginindex('throughline.search_items_words')).pending_pages as pages`.execute(
        on.db,
      );
      return found[0]?.pages;
    };
    const indexer = new SearchIndexer(on);
    indexer.start();
    for (let n = 0; n < 40; n++)
      await on.history.append(
        `c-${n}`,
        did('ContextCreated', { title: 'flow' }),
        ...Array.from({ length: 9 }, (_, step) => outputOf(`made ${n} ${step}`)),
      );
    await project();
    indexer.wake();
    await waitFor('contexts that are found', () => matching('made flow'), {
      until: (found) => found.length === 40,
    });
    await waitFor('indexes that are merged', waitingPages, { until: (pages) => pages === 0 });
    await indexer.stop();
    expect(await matching('made flow')).toHaveLength(40);

    const after = await on.store.head();
    await on.history.append('left', did('ContextCreated', { title: 'flow' }), outputOf('killed'));
    await project();
    await indexLog(after);
    expect(await waitingPages()).toBeGreaterThan(0);
    const next = new SearchIndexer(on);
    next.start();
    await waitFor('merged rows of a killed process', waitingPages, {
      until: (pages) => pages === 0,
    });
    await next.stop();
  });

  it('is updated by any number of indexers, which skip a context that fails', async () => {
    await sql`alter table throughline.search_items add constraint odd check (context_id <> 'odd')`.execute(
      on.db,
    );
    const refused: string[] = [];
    const indexers = [1, 2].map(
      () => new SearchIndexer(on, { refused: ({ contextId }) => refused.push(contextId) }),
    );
    for (const indexer of indexers) indexer.start();
    for (const id of ['odd', 'a', 'b', 'd'])
      await on.history.append(id, did('ContextCreated', { title: 'flow' }), outputOf('x'));
    await project();
    for (const indexer of indexers) indexer.wake();
    await waitFor('three contexts that are found', () => matching('flow x'), {
      until: (found) => found.length === 3,
    });
    await waitFor('a context that is refused', () => refused.length > 0);
    await Promise.all(indexers.map((indexer) => indexer.stop()));
    expect(await matching('flow')).toEqual(['a', 'b', 'd']);
    expect(await findSearchStatus(on.db)).toEqual({ lagEvents: 0, failed: 1 });
    expect(new Set(refused)).toEqual(new Set(['odd']));
    const { rows: places } = await sql<{ failure: string }>`
      select failure from throughline.search_places where context_id = 'odd'`.execute(on.db);
    expect(places[0]?.failure).toContain('odd');
  });
});

const outputOf = (output: JsonValue) => did('StepOutputAdded', { stepId: 's', output });

type Step =
  | Readonly<{ does: 'write'; context: number; events: readonly NewContextEvent[] }>
  | Readonly<{ does: 'restore' | 'fork'; context: number; back: number }>
  | Readonly<{ does: 'index'; index: 'nothing' | 'each context' | 'the log' }>;

const someContext = fc.nat(20);
const preferences = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(null, 1, 'x y'), {
  minKeys: 1,
});
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        does: fc.constant('write' as const),
        context: someContext,
        events: fc
          .tuple(contextCommands, preferences, jsonValue)
          .map(([commands, values, output]) => [
            ...contextFrom(commands).events.slice(1),
            did('PreferencesSet', { values }),
            outputOf(output),
          ]),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constantFrom('restore' as const, 'fork' as const),
        context: someContext,
        back: fc.nat(12),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('index' as const),
        index: fc.constantFrom('nothing' as const, 'each context' as const, 'the log' as const),
      }),
    },
  ),
  { minLength: 8, maxLength: 20 },
);

/** Parts of these documents, and parts of one document with a value of another. */
function patternsFrom(documents: readonly JsonObject[], seed: number): JsonObject[] {
  const members = documents.flatMap((document) =>
    Object.keys(searchedMembers).map(
      (name) => [name, searched(name, document[name] ?? null)] as const,
    ),
  );
  return fc.sample(
    fc
      .tuple(
        fc.subarray([...members], { minLength: 1, maxLength: 2 }),
        fc.infiniteStream(fc.nat(9)),
      )
      .map(([some, chances]) =>
        Object.fromEntries(some.map(([name, value]) => [name, partOf(value, chances)])),
      ),
    { numRuns: 80, seed },
  );
}

/** Removes the members that are not searched. */
function searched(name: string, value: JsonValue): JsonValue {
  const except = searchedMember(name)?.except ?? [];
  const text = JSON.stringify(value, (key, inner: JsonValue) =>
    except.includes(key) ? undefined : inner,
  );
  return JSON.parse(text);
}

/** Usually a part of the value, sometimes an unrelated value. */
function partOf(value: JsonValue, chances: Iterator<number>): JsonValue {
  const chance = Number(chances.next().value);
  if (chance === 9) return 'something else';
  const isIncluded = () => Number(chances.next().value) > 3;
  if (Array.isArray(value)) return value.filter(isIncluded).map((each) => partOf(each, chances));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(isIncluded)
      .map(([name, inner]) => [name, partOf(inner, chances)]),
  );
}

function wordsIn(document: JsonObject): Set<string> {
  const parts = Object.keys(searchedMembers).map((name) => ({
    [name]: searched(name, document[name] ?? null),
  }));
  return new Set(parts.flatMap((part) => [...searchTexts(part)].flatMap(wordsOf)));
}
