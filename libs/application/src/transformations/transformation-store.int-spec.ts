import { sql } from 'kysely';

import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';
import {
  type TransformationDefinition,
  TransformationError,
  runTransformation,
  transformationLimits,
} from '#transformations';

import { InvalidInputError } from '../errors.js';
import { TransformationStore } from './transformation-store.js';

const scoring: TransformationDefinition = {
  trigger: { agent: 'analyst' },
  sources: { features: 'analyst.outputs.brief' },
  operation: { kind: 'score', expression: 'len(features)' },
  destinations: ['project_metadata.score'],
};

describe('the transformations of a workspace,', () => {
  let server: TestServer;
  let database: TestDatabase;
  let here: TransformationStore;
  let there: TransformationStore;

  beforeAll(async () => {
    server = await openTestServer();
  }, 120_000);
  beforeEach(async () => {
    database = await openTestDatabase(server);
    here = new TransformationStore(database.db);
    there = new TransformationStore(database.db);
  });
  afterEach(() => database.close());
  afterAll(() => server.close());

  const put = (
    store: TransformationStore,
    id: string,
    definition: Partial<TransformationDefinition> = {},
  ) => store.put('w', id, { definition: { ...scoring, ...definition }, by: 'admin' });
  const versions = async (store: TransformationStore) =>
    (await store.find('w')).ordered.map(({ transformationId, version }) => [
      transformationId,
      version,
    ]);

  it('stored by another process, are found at once', async () => {
    expect(await versions(here)).toEqual([]);
    await put(there, 'scoring');
    expect(await versions(here)).toEqual([['scoring', 1]]);
    await put(there, 'scoring', { description: 'changed' });
    expect(await versions(here)).toEqual([['scoring', 2]]);
    await put(there, 'scoring', { active: false });
    expect(await versions(here)).toEqual([]);
    expect(await versions(there)).toEqual([]);
  });

  it('at an earlier number of versions, are those of that time', async () => {
    await put(here, 'scoring');
    await put(here, 'other', { destinations: ['project_metadata.other'] });
    await put(here, 'scoring', { active: false });
    await put(here, 'scoring', { description: 'on again' });
    const then = [0, 1, 2, 3, 4].map(async (versions) => {
      const { set } = await there.at('w', versions);
      return set.ordered
        .map(({ transformationId, version }) => `${transformationId} ${version}`)
        .sort();
    });
    expect(await Promise.all(then)).toEqual([
      [],
      ['scoring 1'],
      ['other 1', 'scoring 1'],
      ['other 1'],
      ['other 1', 'scoring 3'],
    ]);
    expect((await there.at('w')).versions).toBe(4);
  });

  it('unless they change, are the same cached objects', async () => {
    await put(here, 'scoring');
    const ready = await here.find('w');
    expect(await here.find('w')).toBe(ready);
    await there.put('other', 'scoring', { definition: scoring, by: 'admin' });
    expect(await here.find('w')).toBe(ready);
  });

  it('with numbers that a double cannot represent, are refused, but those stored earlier still run', async () => {
    const operation = { kind: 'score', expression: 'len(features) + 9007199254740993' } as const;
    const stored = JSON.stringify({ ...scoring, operation });
    await sql`
      insert into throughline.transformation_versions
        (workspace, transformation_id, version, definition, changed_by)
      values ('w', 'scoring', 1, ${stored}, 'admin')`.execute(database.db);
    const [transformation] = (await here.find('w')).ordered;
    const derived = transformation && runTransformation(transformation, { features: [] });
    expect(derived).toEqual({ value: 9_007_199_254_740_992 });
    await expect(put(here, 'scoring', { operation, description: 'changed' })).rejects.toThrow(
      '/operation/expression: at character 17: no double holds 9007199254740993 exactly',
    );
    const other = { destinations: ['project_metadata.other'] };
    expect(await put(here, 'other', other)).toMatchObject({ stored: true });
    expect((await versions(there)).toSorted()).toEqual([
      ['other', 1],
      ['scoring', 1],
    ]);
  });

  it('when they change, get a new version, and every version is stored', async () => {
    expect(await put(here, 'scoring')).toMatchObject({ stored: true, view: { version: 1 } });
    expect(await put(here, 'scoring')).toMatchObject({ stored: false, view: { version: 1 } });
    expect(await put(here, 'scoring', { active: false })).toMatchObject({ view: { version: 2 } });
    const { rows } = await sql`select version from throughline.transformation_versions`.execute(
      database.db,
    );
    expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
    expect(await here.get('w', 'scoring')).toMatchObject({ active: false, changedBy: 'admin' });
    expect(await here.get('other', 'scoring')).toBeUndefined();
    expect(await here.list('w')).toHaveLength(1);
  });

  it('changed concurrently, cannot form a cycle', async () => {
    await put(here, 'a', { destinations: ['x.inputs.a'] });
    await put(here, 'b', { destinations: ['x.inputs.b'] });
    const outcomes = await Promise.allSettled([
      put(here, 'a', { destinations: ['x.inputs.a'], sources: { features: 'x.inputs.b' } }),
      put(there, 'b', { destinations: ['x.inputs.b'], sources: { features: 'x.inputs.a' } }),
    ]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([{ status: 'rejected', reason: expect.any(TransformationError) }]);
  });

  it('run after those they depend on, also after one of these is deactivated', async () => {
    const onScore = {
      trigger: { transformation: 'scoring' },
      sources: { features: 'project_metadata.score' },
      destinations: ['project_metadata.a'],
    };
    await expect(put(here, 'adaptation', onScore)).rejects.toBeInstanceOf(TransformationError);
    await put(here, 'scoring');
    await put(here, 'adaptation', onScore);
    expect(await versions(here)).toEqual([
      ['scoring', 1],
      ['adaptation', 1],
    ]);
    await put(here, 'scoring', { active: false });
    await put(here, 'other');
    expect(await versions(here)).toEqual([
      ['other', 1],
      ['adaptation', 1],
    ]);
    await expect(put(here, 'scoring')).rejects.toBeInstanceOf(TransformationError);
  });

  it('are limited in number', async () => {
    await sql`
      insert into throughline.transformation_versions (workspace, transformation_id, version, definition, changed_by)
      select 'w', 't' || n, 1, ${JSON.stringify({ ...scoring, active: false })}, 'admin'
      from generate_series(1, ${transformationLimits.transformations}::int) n`.execute(database.db);
    await expect(put(here, 'one-more')).rejects.toBeInstanceOf(InvalidInputError);
    expect(await put(here, 't1')).toMatchObject({ stored: true });
  });
});
