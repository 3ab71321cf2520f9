import { randomUUID } from 'node:crypto';

import { InMemoryStore, type BaseStore } from '@langchain/langgraph-checkpoint';
import { ThroughlineStore } from '@throughline/langgraph';
import { beforeEach, describe, expect, it } from 'vitest';

import { openClient } from './open-client.js';

let prefix: string;
let store: ThroughlineStore;

beforeEach(() => {
  prefix = `${randomUUID()}.`;
  store = openStore();
});

describe('an item', () => {
  it('has its latest value in each store', async () => {
    await store.put(['users', 'a b'], 'prefs', { theme: 'dark', nested: { kept: true } });
    await store.put(['users', 'a b'], 'prefs', { theme: null });
    const item = await openStore().get(['users', 'a b'], 'prefs');
    expect(item).toEqual({
      namespace: ['users', 'a b'],
      key: 'prefs',
      value: { theme: null },
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(item?.updatedAt.getTime()).toBeGreaterThanOrEqual(item?.createdAt.getTime() ?? 0);
    expect(await store.get(['users', 'a b'], 'other')).toBeNull();
    expect(await store.get(['users', 'other'], 'prefs')).toBeNull();
  });

  it('no longer exists after its deletion, and can be created again', async () => {
    await store.put(['users'], 'a', { n: 1 });
    await store.delete(['users'], 'a');
    await store.delete(['users'], 'never there');
    await store.delete(['nowhere'], 'never there');
    expect(await store.get(['users'], 'a')).toBeNull();
    expect(await store.search(['users'])).toEqual([]);
    await store.put(['users'], 'a', { n: 2 });
    expect((await store.get(['users'], 'a'))?.value).toEqual({ n: 2 });
  });

  it('remains in the history of its context', async () => {
    await store.put(['users'], 'a', { n: 1 });
    await store.put(['users'], 'a', { n: 2 });
    await store.delete(['users'], 'a');
    const path = `/v1/contexts/${store.contextId(['users'])}/step-outputs/item%3Aa`;
    const { body } = await openClient().request<{ items: { output: unknown }[] }>('GET', path, {
      query: { all: true },
    });
    expect(body.items.map(({ output }) => output)).toMatchObject([
      { key: 'a', value: { n: 1 } },
      { key: 'a', value: { n: 2 } },
      null,
    ]);
  });

  it.each(['line\nbreak', 'k'.repeat(5_000), '😀/?#%', '.', '\ud800', '__proto__'])(
    'may have the key %j',
    async (key) => {
      await store.put(['keys'], key, { key: 'one' });
      expect((await openStore().get(['keys'], key))?.value).toEqual({ key: 'one' });
    },
  );

  it('of two concurrent writers has the value of one, and both values are in the history', async () => {
    const puts = [1, 2].map((n) => openStore().put(['users'], 'a', { n }));
    await Promise.all(puts);
    expect((await store.get(['users'], 'a'))?.value.n).toBeOneOf([1, 2]);
    const path = `/v1/contexts/${store.contextId(['users'])}/step-outputs/item%3Aa`;
    const { body } = await openClient().request<{ items: { output: { value: unknown } }[] }>(
      'GET',
      path,
      { query: { all: true } },
    );
    expect(body.items).toHaveLength(2);
  });
});

describe('a batch', () => {
  it('returns results in its order, reads the state before it, and stores the last put of a key', async () => {
    await store.put(['a'], 'x', { n: 0 });
    const results = await store.batch([
      { namespace: ['a'], key: 'x', value: { n: 1 } },
      { namespace: ['a'], key: 'x' },
      { namespacePrefix: ['a'] },
      { namespace: ['a'], key: 'x', value: { n: 2 } },
      { namespace: ['b', 'c'], key: 'y', value: { n: 3 } },
      { matchConditions: [], limit: 10, offset: 0 },
    ]);
    expect(results).toMatchObject([
      undefined,
      { value: { n: 0 } },
      [{ value: { n: 0 } }],
      undefined,
      undefined,
      [['a']],
    ]);
    expect((await store.get(['a'], 'x'))?.value).toEqual({ n: 2 });
    expect((await store.get(['b', 'c'], 'y'))?.value).toEqual({ n: 3 });
  });

  it('stores the puts of a namespace together or not at all', async () => {
    const tooDeep = JSON.parse('{"a":'.repeat(100) + '1' + '}'.repeat(100));
    const batch = store.batch([
      { namespace: ['a'], key: 'good', value: { n: 1 } },
      { namespace: ['a'], key: 'bad', value: tooDeep },
    ]);
    await expect(batch).rejects.toMatchObject({ code: 'validation-failed' });
    expect(await store.get(['a'], 'good')).toBeNull();
  });

  it('may contain more puts than one append accepts, and larger ones', async () => {
    const puts = (count: number, value: object) =>
      Array.from({ length: count }, (_, at) => ({ namespace: ['a'], key: `${at}`, value }));
    await store.batch(puts(501, { n: 1 }));
    await store.batch(puts(12, { text: 'ö'.repeat(100_000) }));
    const found = await store.search(['a'], { limit: 1_000 });
    expect(found).toHaveLength(501);
    expect(found.filter(({ value }) => 'text' in value)).toHaveLength(12);
  });

  it('refuses namespaces that cannot be distinguished', async () => {
    await expect(store.put([], 'x', {})).rejects.toThrow('Namespace cannot be empty');
    await expect(store.put(['a', ''], 'x', {})).rejects.toThrow('empty');
    await expect(store.put(['langgraph'], 'x', {})).rejects.toThrow('langgraph');
    const joined = store.batch([{ namespace: ['a:b'], key: 'x', value: {} }]);
    await expect(joined).rejects.toThrow('colons');
  });
});

describe('searches and lists', () => {
  const items = [
    [['docs', 'en'], 'a', { kind: 'note', score: 1, tags: ['x'] }],
    [['docs', 'en'], 'b', { kind: 'note', score: 5 }],
    [['docs', 'de'], 'c', { kind: 'report', score: 9 }],
    [['docs-other'], 'd', { kind: 'note' }],
    [['users', 'en', 'v1'], 'e', { kind: null }],
    [['long', 'x'.repeat(200)], 'f', { kind: 'long' }],
    [['*', 'en'], 'g', { kind: 'star' }],
  ] as const;

  async function filled(target: BaseStore): Promise<BaseStore> {
    for (const [namespace, key, value] of items)
      await target.put([...namespace], key, structuredClone(value) as Record<string, unknown>);
    return target;
  }

  it.each([
    [['docs'], {}],
    [[], {}],
    [['docs', 'en'], {}],
    [['*'], {}],
    [['nowhere'], {}],
    [['docs'], { filter: { kind: 'note' } }],
    [['docs'], { filter: { score: { $gt: 1, $lte: 5 } } }],
    [['docs'], { filter: { score: { $gte: 9 } } }],
    [['docs'], { filter: { score: { $lt: 9 }, kind: { $ne: 'report' } } }],
    [[], { filter: { kind: { $in: ['long', 'report'] } } }],
    [[], { filter: { kind: { $nin: ['note'] } } }],
    [[], { filter: { kind: { $eq: null } } }],
    [[], { filter: { kind: 'none' } }],
  ])('find in %j by %j the items that the store of LangGraph finds', async (namespace, options) => {
    const expected = await (await filled(new InMemoryStore())).search(namespace, options);
    const found = await (await filled(store)).search(namespace, options);
    const keys = (list: typeof found) => list.map(({ key }) => key).toSorted();
    expect(keys(found)).toEqual(keys(expected));
  });

  it('return the latest items first, in pages', async () => {
    await filled(store);
    await store.put(['docs', 'en'], 'a', { kind: 'note', score: 2 });
    const pages = await Promise.all(
      [0, 2, 4, 6].map((offset) => store.search([], { limit: 2, offset })),
    );
    const keys = pages.map((page) => page.map(({ key }) => key));
    expect(keys).toEqual([['a', 'g'], ['f', 'e'], ['d', 'c'], ['b']]);
  });

  it('omit contexts of others between the namespaces', async () => {
    await store.put(['docs'], 'a', {});
    const parent = `${prefix}stores`;
    for (const [id, labels] of [
      ['_zz', undefined],
      ['__no-hash', 5],
      ['__another', ['docs']],
    ]) {
      const metadata = { langgraph: { labels } };
      const contextId = `${prefix}store.${id}`;
      await openClient().contexts.create({ contextId, parent, metadata });
    }
    expect(await store.listNamespaces()).toEqual([['docs']]);
    expect(await store.search([])).toHaveLength(1);
  });

  it.each([
    {},
    { prefix: ['docs'] },
    { prefix: ['*', 'en'] },
    { suffix: ['en'] },
    { suffix: ['v1'], prefix: ['users'] },
    { maxDepth: 1 },
    { maxDepth: 1, limit: 2 },
    { limit: 2, offset: 1 },
    { prefix: ['users', 'en', 'v1', 'more'] },
  ])('list by %j the namespaces that the store of LangGraph lists', async (options) => {
    const expected = await (await filled(new InMemoryStore())).listNamespaces(options);
    expect(await (await filled(store)).listNamespaces(options)).toEqual(expected);
  });
});

function openStore(): ThroughlineStore {
  return new ThroughlineStore({ client: openClient(), prefix });
}
