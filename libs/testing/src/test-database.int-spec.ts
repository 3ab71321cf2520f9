import { existsSync } from 'node:fs';
import { sql } from 'kysely';

import {
  openTestDatabase,
  openTestServer,
  type TestDatabase,
  type TestServer,
} from './test-database.js';

describe('a test database', () => {
  let server: TestServer;
  let first: TestDatabase;
  let second: TestDatabase;

  beforeAll(async () => {
    server = await openTestServer();
    first = await openTestDatabase(server);
    second = await openTestDatabase(server);
  });

  afterAll(async () => {
    await first.close();
    await second.close();
    await server.close();
  });

  it('is migrated and is a separate store', async () => {
    const identities = await Promise.all(
      [first, second].map(({ db }) =>
        db.selectFrom('store_identity').select('id').executeTakeFirstOrThrow(),
      ),
    );
    expect(new Set(identities.map(({ id }) => id)).size).toBe(2);
  });

  it('returns bigint columns as bigint', async () => {
    const { rows } = await sql`select 9007199254740993::bigint as big, 1 as small`.execute(
      first.db,
    );
    expect(rows).toEqual([{ big: 9007199254740993n, small: 1 }]);
  });

  it('is deleted with its server', async () => {
    const other = await openTestServer();
    await other.close();
    expect(existsSync(other.dataDirectory)).toBe(false);
    expect(() => process.kill(other.pid, 0)).toThrow();
  });
});
