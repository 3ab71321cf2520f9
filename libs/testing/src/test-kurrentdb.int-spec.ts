import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

import { type TestKurrentDb, openTestKurrentDb } from './test-kurrentdb.js';

let server: TestKurrentDb;
let client: EventStoreDBClient;
beforeAll(async () => {
  server = await openTestKurrentDb();
  client = EventStoreDBClient.connectionString(server.connectionString);
});
afterAll(async () => {
  await client.dispose();
  await server.close();
});

it('appends and reads', async () => {
  const stream = `${server.namespace()}-a`;
  const result = await client.appendToStream(stream, [jsonEvent({ type: 'x', data: { a: 1 } })]);
  expect(result.nextExpectedRevision).toBe(0n);
  const seen = [];
  for await (const { event } of client.readStream(stream)) seen.push(event?.data);
  expect(seen).toEqual([{ a: 1 }]);
  const all = [];
  for await (const { event } of client.readAll()) all.push(event?.streamId);
  expect(all).toContain(stream);
});
