import { sql } from 'kysely';

import { useTestStore } from '#testing';

import { VersionedStore } from './versioned-store.js';

const policies = { table: 'policy_versions', name: 'audience', value: 'policy', lock: 'policies' };
const settings = { table: 'workspace_settings', value: 'settings', lock: 'settings' };
const count = sql<number>`(select count(*)::int from throughline.policy_versions)`;

describe('a store of versions', () => {
  const on = useTestStore();

  const openPolicies = () => new VersionedStore(on.db, policies);
  const openSettings = () => new VersionedStore(on.db, settings);
  const put = (value: string, name = 'a', workspace = 'w') =>
    openPolicies().put({ workspace, name }, 'ada', () => value);

  it('numbers the versions of a value from 1, and finds the newest', async () => {
    expect(await openPolicies().newest({ workspace: 'w', name: 'a' })).toBeUndefined();
    await put('one');
    await put('other', 'b');
    await put('foreign', 'a', 'elsewhere');
    const { version, stored } = await put('two');
    expect([stored, version]).toEqual([
      true,
      {
        name: 'a',
        version: 2,
        value: 'two',
        changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        changedBy: 'ada',
      },
    ]);
    expect(await openPolicies().newest({ workspace: 'w', name: 'a' })).toEqual(version);
  });

  it('adds no version if the previous one is equal', async () => {
    await put('one');
    const again = await openPolicies().put({ workspace: 'w', name: 'a' }, 'bob', (before) => {
      if (!before) throw new Error('there is a version');
      return before;
    });
    expect(again).toMatchObject({ stored: false, version: { version: 1, changedBy: 'ada' } });
  });

  it('runs concurrent writes to a workspace one after the other', async () => {
    const add = () =>
      openPolicies().put({ workspace: 'w', name: 'a' }, 'ada', (before) => `${before?.value}+`);
    await Promise.all([add(), add(), add(), add()]);
    const newest = await openPolicies().newest({ workspace: 'w', name: 'a' });
    expect(newest).toMatchObject({ version: 4, value: 'undefined++++' });
  });

  it('stores one value per workspace in a table without names', async () => {
    const store = openSettings();
    await store.put({ workspace: 'w' }, 'ada', () => '{}');
    await store.put({ workspace: 'w' }, 'ada', (before) => `${before?.value} `);
    expect(await store.newest({ workspace: 'w' })).toMatchObject({
      name: 'w',
      version: 2,
      value: '{} ',
    });
    expect(await store.newest({ workspace: 'elsewhere' })).toBeUndefined();
  });

  it('does not compile with a missing name, or with a name for a table without names', () => {
    const key = { workspace: 'w', name: 'a' };
    const wrong = [
      // @ts-expect-error: a workspace has many policies
      () => openPolicies().newest({ workspace: 'w' }),
      // @ts-expect-error: a workspace has many policies
      () => openPolicies().newestIfChanged(0, { workspace: 'w' }),
      // @ts-expect-error: a workspace has many policies
      () => openPolicies().newestValue({ workspace: 'w' }),
      // @ts-expect-error: a workspace has many policies
      () => openPolicies().put({ workspace: 'w' }, 'ada', () => '{}'),
      // @ts-expect-error: settings have no names
      () => openSettings().newest(key),
      // @ts-expect-error: settings have no names
      () => openSettings().put(key, 'ada', () => '{}'),
    ];
    expect(wrong).toHaveLength(6);
  });

  it('does not read unchanged values again', async () => {
    const store = openPolicies();
    const key = { workspace: 'w', name: 'a' };
    expect(await store.newestIfChanged(0, key)).toBeUndefined();
    expect(await store.listIfChanged(0, 'w', count)).toBe('unchanged');
    await put('one');
    await put('other', 'b');
    await put('two');
    expect(await store.newestIfChanged(2, key)).toBe('unchanged');
    expect(await store.newestIfChanged(1, key)).toMatchObject({ value: 'two' });
    expect(await store.listIfChanged(3, 'w', count)).toBe('unchanged');
    expect(await store.listIfChanged(2, 'w', count)).toMatchObject({
      versions: 3,
      newest: [{ name: 'a', value: 'two' }, { name: 'b' }],
    });
  });

  it('lists the newest version per name that meets a condition, in the order of its table', async () => {
    await put('one', 'z');
    await put('other', 'a');
    await put('two', 'z');
    const namesIn = async (order: ReturnType<typeof sql>, condition = sql`true`) =>
      (await new VersionedStore(on.db, { ...policies, order }).list('w', condition)).map(
        ({ name, value }) => `${name} ${value}`,
      );
    const first = sql`min(changed_at) over (partition by audience)`;
    expect(await namesIn(first)).toEqual(['z two', 'a other']);
    expect(await namesIn(sql`0`)).toEqual(['a other', 'z two']);
    expect(await namesIn(first, sql`version = 1`)).toEqual(['z one', 'a other']);
  });
});
