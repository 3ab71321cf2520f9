import { sql } from 'kysely';

import { type JsonObject } from '#event-sourcing';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';
import { type WorkflowSource, readWorkflow, workflowLimits } from '#workflow';

import { InvalidInputError } from '../errors.js';
import { refuseErrors } from './refuse-errors.js';
import { WorkflowStore } from './workflow-store.js';

const readDefinition = (source: WorkflowSource) => refuseErrors(readWorkflow(source));

const steps = [{ id: 'plan', type: 'agent', agent: 'planner' }];

describe('the workflows of a workspace', () => {
  let server: TestServer;
  let database: TestDatabase;
  let here: WorkflowStore;
  let there: WorkflowStore;

  beforeAll(async () => {
    server = await openTestServer();
  }, 120_000);
  beforeEach(async () => {
    database = await openTestDatabase(server);
    here = new WorkflowStore(database.db);
    there = new WorkflowStore(database.db);
  });
  afterEach(() => database.close());
  afterAll(() => server.close());

  const publish = (store: WorkflowStore, definition: JsonObject, workspace = 'w') =>
    store.publish(workspace, {
      ...readDefinition({ id: 'feature', steps, ...definition }),
      by: 'ada',
    });
  const current = async (definitionId = 'feature') => {
    const found = await there.find({ workspace: 'w', definitionId });
    return found && [found.version, found.description];
  };

  it('have one version per content, independent of the order of its members', async () => {
    const { view, outcome } = await publish(here, { description: 'one' });
    expect([outcome, view]).toEqual([
      'stored',
      {
        definitionId: 'feature',
        version: 1,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        description: 'one',
        enabled: true,
        visibleTo: null,
        steps: 1,
        publishedBy: 'ada',
        publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    const reordered = await there.publish('w', {
      ...readDefinition({ steps, description: 'one', id: 'feature' }),
      by: 'bob',
    });
    expect([reordered.outcome, reordered.view]).toEqual(['unchanged', view]);
    const other = await publish(there, { description: 'two' });
    expect([other.outcome, other.view.version]).toEqual(['stored', 2]);
    expect(other.view.hash).not.toBe(view.hash);
  });

  it('use the version that was published last, which may be an earlier one', async () => {
    for (const description of ['one', 'two']) await publish(here, { description });
    expect(await current()).toEqual([2, 'two']);
    const { outcome, view } = await publish(here, { description: 'one' });
    expect([outcome, view.version]).toEqual(['in-force-again', 1]);
    expect(await current()).toEqual([1, 'one']);
    expect(await publish(here, { description: 'three' })).toMatchObject({ view: { version: 3 } });
    expect((await here.find({ workspace: 'w', definitionId: 'feature' }, 2))?.definition).toEqual({
      id: 'feature',
      description: 'two',
      steps,
    });
  });

  it('are stored as their authors ordered them', async () => {
    await publish(here, { initial_context: { z: 1, a: '\u0000', '': null } });
    const found = await there.find({ workspace: 'w', definitionId: 'feature' });
    expect(JSON.stringify(found?.definition['initial_context'])).toBe(
      String.raw`{"z":1,"a":"\u0000","":null}`,
    );
  });

  it('get one version per content from concurrent publications', async () => {
    const published = await Promise.all(
      ['one', 'two', 'one', 'three'].map((description, at) =>
        publish(at % 2 === 0 ? here : there, { description }),
      ),
    );
    const versions = published.map(({ view }) => view.version);
    expect(new Set(versions).size).toBe(3);
    expect(versions[0]).toBe(versions[2]);
  });

  it('are listed by id with their current version, without those of other workspaces', async () => {
    await publish(here, { id: 'release', enabled: false, visible_to: ['ada'] });
    await publish(here, { description: 'one' });
    await publish(here, { description: 'two' });
    await publish(here, { id: 'foreign' }, 'elsewhere');
    expect(await there.list('w')).toMatchObject([
      { definitionId: 'feature', version: 2, description: 'two' },
      { definitionId: 'release', version: 1, enabled: false, visibleTo: ['ada'] },
    ]);
    expect(await there.find({ workspace: 'w', definitionId: 'foreign' })).toBeUndefined();
    expect(await there.find({ workspace: 'w', definitionId: 'feature' }, 3)).toBeUndefined();
  });

  it('are limited in number', async () => {
    await sql`
      insert into throughline.workflow_publications (workspace, definition_id, publication, version, published_by)
      select 'w', 'w-' || n, 1, 1, 'ada' from generate_series(1, ${workflowLimits.definitions}) n`.execute(
      database.db,
    );
    await expect(publish(here, {})).rejects.toThrow(InvalidInputError);
    await publish(here, {}, 'elsewhere');
  });
});
