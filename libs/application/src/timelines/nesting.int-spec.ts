import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader, Projector } from '#read-models';
import { RuleViolationError } from '#shared-context';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  did,
  openTestDatabase,
  openTestServer,
  waitForProjector,
} from '#testing';

import { refuseDeeper } from './nesting.js';

const id = { workspace: 'default', contextId: 'c' };
/** A tenth of the limit in force: every restore costs as much as the ones that it stands on. */
const limit = 100;

describe('restores, one in another', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  it('are refused behind the limit, and readable up to there', async () => {
    const restores = Array.from({ length: limit }, (_, n) =>
      did('ContextRestored', { version: n + 2 }),
    );
    await new HistoryWriter(store).append(
      'c',
      did('ContextCreated', {}),
      did('StepOutputAdded', { stepId: 's', output: 'first' }),
      ...restores,
    );
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector).finally(() => projector.stop());

    const reader = new ContextReader(database.db, store);
    const { head, state } = await reader.read(id, { kinds: ['step-output'] });
    expect(state.get('step-output', 's')?.fromVersion).toBe(2);
    if (!head) throw new Error('the context is there');
    const refuse = (version: number) =>
      refuseDeeper(reader, head, { version, pointer: '/version', limit });
    await expect(refuse(head.version)).resolves.toBeInstanceOf(RuleViolationError);
    await expect(refuse(head.version - 10)).resolves.toBeUndefined();
  });
});
