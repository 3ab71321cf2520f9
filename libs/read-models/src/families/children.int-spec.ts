import { PostgresEventStore } from '#event-store-postgres';
import { renderFamily } from '#shared-context';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  did,
  openTestDatabase,
  openTestServer,
  waitForProjector,
} from '#testing';

import { Projector } from '../projector/projector.js';
import { countChildren, findChildren } from './children.queries.js';

const filter = { workspace: 'default', parent: 'epic', contexts: null, workflows: null };

describe('child queries', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    const story = (more: object = {}) => did('ContextCreated', { parent: 'epic', ...more });
    const writer = new HistoryWriter(store);
    await writer.append('epic', did('ContextCreated', {}));
    await writer.append('other', did('ContextCreated', { parent: 'elsewhere' }));
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await writer.append(
        id,
        story({ title: id }),
        did('StepFailed', { stepId: 's', reason: 'r' }),
      );
    const workflow = { definitionId: 'sdd', version: 1 };
    await writer.append('f', story({ title: '\u0000', workflow }));
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  });

  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  it('list children oldest first, up to the limit', async () => {
    const children = await findChildren(database.db, filter, 100);
    expect(children.map(({ contextId }) => contextId)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(children.at(-1)).toMatchObject({ title: '\u0000', status: 'open' });
    expect(await findChildren(database.db, filter, 2)).toEqual(children.slice(0, 2));
  });

  it('count children by state with the same summary as the full list', async () => {
    const listed = await findChildren(database.db, filter, 100);
    const counted = await countChildren(database.db, filter);
    expect(counted).toHaveLength(2);
    expect(renderFamily(listed.slice(0, 1), counted).executionSummary).toEqual(
      renderFamily(listed).executionSummary,
    );
  });

  it.each([
    [{ contexts: ['b', 'f'] }, ['b', 'f']],
    [{ contexts: ['epic'] }, ['a', 'b', 'c', 'd', 'e', 'f']],
    [{ contexts: [] }, []],
    [{ workflows: ['sdd'] }, ['f']],
    [{ contexts: ['a'], workflows: ['sdd'] }, []],
    [{ until: '2000-01-01T00:00:00.000Z' }, []],
    [{ workspace: 'another' }, []],
    [{ parent: 'elsewhere' }, ['other']],
  ])('within %j list %j', async (limits, ids) => {
    const found = await findChildren(database.db, { ...filter, ...limits }, 100);
    expect(found.map(({ contextId }) => contextId)).toEqual(ids);
  });
});
