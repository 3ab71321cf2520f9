import { sql } from 'kysely';

import { type AgentDefinition, contractLimits } from '#agent-contracts';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { InvalidInputError } from '../errors.js';
import { AgentStore } from './agent-store.js';

const analyst: AgentDefinition = { name: 'Mary', role: 'analyst', kind: 'llm' };

describe('the agents of a workspace,', () => {
  let server: TestServer;
  let database: TestDatabase;
  let here: AgentStore;
  let there: AgentStore;

  beforeAll(async () => {
    server = await openTestServer();
  }, 120_000);
  beforeEach(async () => {
    database = await openTestDatabase(server);
    here = new AgentStore(database.db);
    there = new AgentStore(database.db);
  });
  afterEach(() => database.close());
  afterAll(() => server.close());

  const put = (store: AgentStore, id: string, changes: Partial<AgentDefinition> = {}) =>
    store.register('w', id, {
      definition: { ...analyst, ...changes },
      by: 'admin',
      replaces: true,
    });
  const namesIn = async (store: AgentStore, workspace = 'w') =>
    (await store.find(workspace)).map(({ view }) => `${view.agentId}: ${view.name}`);

  it('registered by another process, are found at once', async () => {
    expect(await namesIn(here)).toEqual([]);
    await put(there, 'pm', { name: 'John' });
    expect(await namesIn(here)).toEqual(['pm: John']);
    await put(there, 'analyst');
    await put(here, 'pm', { name: 'Joan' });
    expect(await namesIn(there)).toEqual(['pm: Joan', 'analyst: Mary']);
    expect(await namesIn(there, 'other')).toEqual([]);
  });

  it('unless they change, are the same cached objects', async () => {
    await put(here, 'pm');
    const ready = await here.find('w');
    await there.register('other', 'pm', { definition: analyst, by: 'admin', replaces: false });
    expect(await here.find('w')).toBe(ready);
  });

  it('when they change, get a new version, and every version is stored', async () => {
    expect(await put(here, 'pm')).toMatchObject({ stored: true, view: { version: 1 } });
    expect(await put(here, 'pm')).toMatchObject({ stored: false, view: { version: 1 } });
    expect(await put(here, 'pm', { name: 'B' })).toMatchObject({ view: { version: 2 } });
    const { rows } = await sql`select version from throughline.agent_versions`.execute(database.db);
    expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
    expect(await here.get('w', 'pm')).toMatchObject({ name: 'B', version: 2, changedBy: 'admin' });
    expect(await here.get('other', 'pm')).toBeUndefined();
  });

  it('at an earlier time, are those registered then', async () => {
    const first = await put(here, 'pm', { name: 'A' });
    const changed = (version: number, time: string) =>
      sql`update throughline.agent_versions set changed_at = ${time} where version = ${version}`.execute(
        database.db,
      );
    await put(here, 'pm', { name: 'B' });
    await changed(1, '2026-01-01T00:00:00.0005Z');
    await changed(2, '2026-01-02T00:00:00Z');
    const at = async (time: string) => (await there.findAt('w', time)).map(({ view }) => view.name);
    expect(await at('2025-12-31T23:59:59.999Z')).toEqual([]);
    expect(await at('2026-01-01T00:00:00.000Z')).toEqual(['A']);
    expect(await at('2026-01-02T00:00:00.000Z')).toEqual(['B']);
    expect(first.view.version).toBe(1);
  });

  it('registered twice at once under one id, are registered once', async () => {
    const register = (store: AgentStore, name: string) =>
      store.register('w', 'pm', { definition: { ...analyst, name }, by: 'a', replaces: false });
    const outcomes = await Promise.allSettled([register(here, 'A'), register(there, 'B')]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([{ status: 'rejected', reason: expect.any(InvalidInputError) }]);
  });

  it('with a contract or template that does not parse, are refused', async () => {
    const contract = { inputs: { a: { path: 'nowhere' } } };
    await expect(put(here, 'pm', { contract })).rejects.toBeInstanceOf(InvalidInputError);
    await expect(put(here, 'pm', { template: '{{#if}}' })).rejects.toBeInstanceOf(
      InvalidInputError,
    );
    expect(await namesIn(here)).toEqual([]);
  });

  it('stored with a template that does not parse, remain readable', async () => {
    const broken = JSON.stringify({ ...analyst, template: '{{#if}}' });
    await sql`
      insert into throughline.agent_versions (workspace, agent_id, version, definition, changed_by)
      values ('w', 'pm', 1, ${broken}, 'admin')`.execute(database.db);
    expect(await here.get('w', 'pm')).toMatchObject({ template: '{{#if}}', version: 1 });
    expect(await namesIn(there)).toEqual(['pm: Mary']);
    const mended = await put(here, 'pm', { template: '{{#if a}}{{/if}}' });
    expect(mended.view).toMatchObject({ version: 2 });
  });

  it('are limited in number', async () => {
    await sql`
      insert into throughline.agent_versions (workspace, agent_id, version, definition, changed_by)
      select 'w', 'a' || n, 1, ${JSON.stringify(analyst)}, 'admin'
      from generate_series(1, ${contractLimits.agents}) n`.execute(database.db);
    await expect(put(here, 'pm')).rejects.toBeInstanceOf(InvalidInputError);
    await expect(put(here, 'a1', { name: 'B' })).resolves.toMatchObject({ stored: true });
  });
});
