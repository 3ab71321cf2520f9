import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

import { newTestCertificate } from './test-certificate.js';
import { type TestDirectory, makeTestDirectory } from './test-directory.js';
import { type StandInKurrentDb, openStandIn } from './test-kurrentdb.js';
import {
  collectEvents,
  connect,
  connectUnbatched,
  followAll,
  tell,
} from './test-kurrentdb.client.js';

// The accounts of the stand-in, over TLS as everywhere but in tests.

let files: TestDirectory;
let server: StandInKurrentDb;
const clients: EventStoreDBClient[] = [];

beforeAll(async () => {
  files = await makeTestDirectory();
  server = await openStandIn({
    tls: await newTestCertificate(files.directory),
    users: [
      { login: 'service', password: 'of-service', groups: ['readers'] },
      { login: 'other', password: 'of-other', groups: [] },
    ],
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  await server.close();
  await files.remove();
});

function as(account: string | undefined, open = connect): EventStoreDBClient {
  const client = open(server.connectionStringAs(account));
  clients.push(client);
  return client;
}

const admin = 'admin:changeit';
const service = 'service:of-service';
const denied = { type: 'access-denied' };
const event = () => jsonEvent({ type: 'happened', data: {} });

it('lets every account write and read user streams', async () => {
  const stream = `${server.namespace()}-a`;
  expect(await tell(as(service).appendToStream(stream, event()))).toBe('revision 0');
  expect(await tell(as(service, connectUnbatched).appendToStream(stream, event()))).toBe(
    'revision 1',
  );
  expect(await collectEvents(as('other:of-other').readStream(stream))).toHaveLength(2);
});

it('knows nobody by a wrong password, and nobody without one', async () => {
  const stream = `${server.namespace()}-a`;
  await as(admin).appendToStream(stream, event());
  for (const account of ['admin:wrong', 'nobody:changeit', undefined]) {
    await expect(collectEvents(as(account).readStream(stream))).rejects.toMatchObject(denied);
    expect(await tell(as(account, connectUnbatched).appendToStream(stream, event()))).toBe(
      'access-denied',
    );
  }
});

it('keeps system streams and $all to administrators', async () => {
  expect(await collectEvents(as(admin).readStream('$users'))).not.toEqual([]);
  await expect(collectEvents(as(service).readStream('$users'))).rejects.toMatchObject(denied);
  expect(await collectEvents(as(admin).readAll())).not.toEqual([]);
  await expect(collectEvents(as(service).readAll())).rejects.toMatchObject(denied);
  const followed = followAll(as(service), { fromPosition: 'start' });
  await followed.until((told) => told.includes('failed: access-denied'));
});

it('answers a batch that may not be written, and goes on with the stream', async () => {
  const client = as(service);
  expect(await tell(client.appendToStream('$users', event()))).toBe('access-denied');
  expect(await tell(client.appendToStream(`${server.namespace()}-a`, event()))).toBe('revision 0');
});

it('keeps a stream to those whom its metadata names, by account or by group', async () => {
  const stream = `${server.namespace()}-a`;
  await as(admin).appendToStream(stream, event());
  const acl = { readRoles: ['readers'], writeRoles: ['other'], deleteRoles: ['$admins'] };
  await as(admin).setStreamMetadata(stream, { acl });
  expect(await collectEvents(as(service).readStream(stream))).toHaveLength(1);
  await expect(collectEvents(as('other:of-other').readStream(stream))).rejects.toMatchObject(
    denied,
  );
  expect(await tell(as('other:of-other').appendToStream(stream, event()))).toBe('revision 1');
  expect(await tell(as(service).appendToStream(stream, event()))).toBe('access-denied');
  const { metadata } = await as('other:of-other').getStreamMetadata(stream);
  expect(metadata).toMatchObject({ acl: { readRoles: ['readers'] } });
  await expect(as(service).deleteStream(stream)).rejects.toMatchObject(denied);
  await as(admin).deleteStream(stream);
});

it('opens $all to an account by the metadata of $all, and ends what is open when that is taken back', async () => {
  await as(admin).setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'service'] } });
  expect(await collectEvents(as(service).readAll())).not.toEqual([]);
  const followed = followAll(as(service), { fromPosition: 'end' });
  await followed.until((told) => told.includes('caught up'));
  await as(admin).setStreamMetadata('$all', {});
  await followed.until((told) => told.includes('failed: access-denied'));
  await expect(collectEvents(as(service).readAll())).rejects.toMatchObject(denied);
});

it('opens $all to an account by the defaults in $settings', async () => {
  const settings = { $userStreamAcl: {}, $systemStreamAcl: { $r: ['$admins', 'readers'] } };
  await as(admin).appendToStream('$settings', jsonEvent({ type: '$settings', data: settings }));
  expect(await collectEvents(as(service).readAll())).not.toEqual([]);
  await expect(collectEvents(as('other:of-other').readAll())).rejects.toMatchObject(denied);
});
