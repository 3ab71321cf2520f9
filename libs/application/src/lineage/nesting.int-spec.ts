import { sql } from 'kysely';

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

import { refuseNesting } from './nesting.js';

const id = { workspace: 'default', contextId: 'c' };
/** A tenth of the real limit, because each restore costs as much as all restores before it. */
const limit = 100;

describe('nested restores', () => {
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

  it('are refused beyond the limit, and readable up to it', async () => {
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
    await waitForProjector(projector);
    await projector.stop();

    const reader = new ContextReader(database.db, store);
    const { head, state } = await reader.read(id, { kinds: ['step-output'] });
    expect(state.get('step-output', 's')?.fromVersion).toBe(2);
    if (!head) throw new Error('the context is missing');
    const refuse = (version: number) =>
      refuseNesting(reader, head, { version, pointer: '/version', limit });
    await expect(refuse(head.version)).resolves.toBeInstanceOf(RuleViolationError);
    await expect(refuse(head.version - 10)).resolves.toBeUndefined();
  });

  it('are refused beyond the real limit, counted from inserted rows', async () => {
    const contextId = 'counted';
    await new HistoryWriter(store).append(
      contextId,
      did('ContextCreated', {}),
      did('StepOutputAdded', { stepId: 's', output: 'first' }),
      did('ContextRestored', { version: 2 }),
    );
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
    const { head } = await new ContextReader(database.db, store).read(
      { workspace: 'default', contextId },
      { kinds: [] },
    );
    if (!head) throw new Error('the context is missing');
    await sql`
      insert into throughline.context_lineages (workspace, context_id, from_version, base_context_id, base_version)
      select 'default', ${contextId}, n, ${contextId}, n - 1 from generate_series(4, 1010) n`.execute(
      database.db,
    );
    await sql`update throughline.contexts set version = 1010 where context_id = ${contextId}`.execute(
      database.db,
    );
    const reader = new ContextReader(database.db, store);
    const refuse = (version: number) =>
      refuseNesting(reader, { ...head, version: 1010 }, { version, pointer: '/version' });
    await expect(refuse(1_001)).resolves.toBeInstanceOf(RuleViolationError);
    await expect(refuse(1_000)).resolves.toBeUndefined();
  });
});
