import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

import { newTestCertificate } from './test-certificate.js';
import { type TestDirectory, makeTestDirectory } from './test-directory.js';
import { type StandInKurrentDb, openStandIn } from './test-kurrentdb.js';
import {
  collectEvents,
  connect,
  connectUnbatched,
  followAll,
  outcomeOf,
} from './test-kurrentdb.client.js';

// The accounts of the stand-in, over TLS as in production.

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
  expect(await outcomeOf(as(service).appendToStream(stream, event()))).toBe('revision 0');
  expect(await outcomeOf(as(service, connectUnbatched).appendToStream(stream, event()))).toBe(
    'revision 1',
  );
  expect(await collectEvents(as('other:of-other').readStream(stream))).toHaveLength(2);
});

it('rejects a wrong password and a missing password', async () => {
  const stream = `${server.namespace()}-a`;
  await as(admin).appendToStream(stream, event());
  for (const account of ['admin:wrong', 'nobody:changeit', undefined]) {
    await expect(collectEvents(as(account).readStream(stream))).rejects.toMatchObject(denied);
    expect(await outcomeOf(as(account, connectUnbatched).appendToStream(stream, event()))).toBe(
      'access-denied',
    );
  }
});

it('restricts system streams and $all to administrators', async () => {
  expect(await collectEvents(as(admin).readStream('$users'))).not.toEqual([]);
  await expect(collectEvents(as(service).readStream('$users'))).rejects.toMatchObject(denied);
  expect(await collectEvents(as(admin).readAll())).not.toEqual([]);
  await expect(collectEvents(as(service).readAll())).rejects.toMatchObject(denied);
  const followed = followAll(as(service), { fromPosition: 'start' });
  await followed.until((reports) => reports.includes('failed: access-denied'));
});

it('rejects a batch that may not be written, and continues with the stream', async () => {
  const client = as(service);
  expect(await outcomeOf(client.appendToStream('$users', event()))).toBe('access-denied');
  expect(await outcomeOf(client.appendToStream(`${server.namespace()}-a`, event()))).toBe(
    'revision 0',
  );
});

it('restricts a stream to the accounts and groups in its metadata', async () => {
  const stream = `${server.namespace()}-a`;
  await as(admin).appendToStream(stream, event());
  const acl = { readRoles: ['readers'], writeRoles: ['other'], deleteRoles: ['$admins'] };
  await as(admin).setStreamMetadata(stream, { acl });
  expect(await collectEvents(as(service).readStream(stream))).toHaveLength(1);
  await expect(collectEvents(as('other:of-other').readStream(stream))).rejects.toMatchObject(
    denied,
  );
  expect(await outcomeOf(as('other:of-other').appendToStream(stream, event()))).toBe('revision 1');
  expect(await outcomeOf(as(service).appendToStream(stream, event()))).toBe('access-denied');
  const { metadata } = await as('other:of-other').getStreamMetadata(stream);
  expect(metadata).toMatchObject({ acl: { readRoles: ['readers'] } });
  await expect(as(service).deleteStream(stream)).rejects.toMatchObject(denied);
  await as(admin).deleteStream(stream);
});

it('grants an account access to $all by the metadata of $all, and ends its subscriptions when the grant is revoked', async () => {
  await as(admin).setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'service'] } });
  expect(await collectEvents(as(service).readAll())).not.toEqual([]);
  const followed = followAll(as(service), { fromPosition: 'end' });
  await followed.until((reports) => reports.includes('caught up'));
  await as(admin).setStreamMetadata('$all', {});
  await followed.until((reports) => reports.includes('failed: access-denied'));
  await expect(collectEvents(as(service).readAll())).rejects.toMatchObject(denied);
});

it('grants an account access to $all by the defaults in $settings', async () => {
  const settings = { $userStreamAcl: {}, $systemStreamAcl: { $r: ['$admins', 'readers'] } };
  await as(admin).appendToStream('$settings', jsonEvent({ type: '$settings', data: settings }));
  expect(await collectEvents(as(service).readAll())).not.toEqual([]);
  await expect(collectEvents(as('other:of-other').readAll())).rejects.toMatchObject(denied);
});
