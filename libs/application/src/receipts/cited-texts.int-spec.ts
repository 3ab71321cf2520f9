import { sql } from 'kysely';

import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { CitedTexts } from './cited-texts.js';
import { hashOfText } from './receipts.js';

describe('cited texts', () => {
  let server: TestServer;
  let database: TestDatabase;
  let texts: CitedTexts;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    texts = new CitedTexts(database.db);
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await server.close();
  });

  const shown = (text: string, contextId = 'c') =>
    ({ workspace: 'w', contextId, kind: 'view', hash: hashOfText(text) }) as const;

  it.each(['', 'plain\n', '\u0000 \u{1F980} \uFEFF\r\n "\\u0000"', 'x'.repeat(3_000_000)])(
    'are stored byte for byte',
    async (text) => {
      await texts.store(shown(text), text);
      expect(await texts.find(shown(text))).toEqual({ text });
      expect(await texts.has(shown(text))).toBe(true);
    },
  );

  it('are stored once per context, also by concurrent writers', async () => {
    const text = 'the same';
    await Promise.all(Array.from({ length: 8 }, () => texts.store(shown(text), text)));
    await texts.store(shown(text, 'another'), text);
    const { rows } = await sql`
      select context_id from throughline.cited_texts
      where hash = ${Buffer.from(hashOfText(text), 'hex')} order by 1`.execute(database.db);
    expect(rows).toEqual([{ context_id: 'another' }, { context_id: 'c' }]);
  });

  it('are found only in their own workspace and context', async () => {
    const text = 'private';
    await texts.store(shown(text), text);
    expect(await texts.find({ ...shown(text), workspace: 'other' })).toBeUndefined();
    expect(await texts.has(shown(text, 'other'))).toBe(false);
  });

  it('remain erased when they are stored again', async () => {
    const text = 'about a person';
    await texts.store(shown(text), text);
    await sql`
      update throughline.cited_texts set text = null, erased_at = now()
      where hash = ${Buffer.from(hashOfText(text), 'hex')}`.execute(database.db);
    await texts.store(shown(text), text);
    expect(await texts.find(shown(text))).toEqual({ text: null });
  });
});
