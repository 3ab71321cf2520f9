import { sql } from 'kysely';

import { PostgresEventStore } from '#event-store-postgres';
import {
  HistoryWriter,
  did,
  openTestDatabase,
  openTestServer,
  waitForProjector,
  waitFor,
} from '#testing';

import { listDeadLetters } from './dead-letters.js';
import { Projector } from './projector.js';
import { sharedContextProjection as projection } from './shared-context.projection.js';

describe('a projector that retries dead letters', () => {
  it('sends heartbeats during a long retry', async () => {
    const server = await openTestServer();
    const database = await openTestDatabase(server);
    const { db } = database;
    const store = new PostgresEventStore({ pool: database.pool });
    const history = new HistoryWriter(store);
    const first = new Projector(db, store);
    first.start();
    await history.append('c', did('ContextCreated', {}));
    await waitForProjector(first);
    await first.stop();
    await history.append('c', did('ContextClosed', {}));
    await sql`
      insert into throughline.dead_letters (projection, workspace, context_id, version, position, error)
      values (${projection}, 'default', 'c', 2, '2', 'quarantined')`.execute(db);
    const second = new Projector(db, store);
    const seen = async () => {
      const { rows } = await sql<{ seen_at: Date }>`
        select seen_at from throughline.projector_instances where instance = ${second.instance}`.execute(
        db,
      );
      return rows[0]?.seen_at.getTime() ?? 0;
    };
    const letters = () => listDeadLetters(db, { projection, limit: 1 });

    await db.transaction().execute(async (trx) => {
      await sql`select from throughline.contexts where context_id = 'c' for update`.execute(trx);
      second.start();
      const moments = new Set<number>();
      await waitFor('four heartbeats', async () => moments.add(await seen()), {
        until: ({ size }) => size >= 4,
      });
      expect(await letters()).toHaveLength(1);
    });
    await waitFor('no dead letter', letters, { until: ({ length }) => length === 0 });

    await second.stop();
    await store.close();
    await database.close();
    await server.close();
  });
});
