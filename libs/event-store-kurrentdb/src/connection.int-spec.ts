import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';
import {
  type StandInKurrentDb,
  type TcpProxy,
  type TestCertificate,
  type TestDirectory,
  collect,
  failure,
  makeTestDirectory,
  newEvents,
  newStream,
  newTestCertificate,
  openStandIn,
  openTcpProxy,
  upTo,
  waitFor,
} from '#testing';

import { KurrentEventStore } from './kurrent-event-store.js';

/** A short limit, so that the tests do not wait long. */
const answerLimitMs = 1_000;

let server: StandInKurrentDb;
let proxies: TcpProxy[];
let store: KurrentEventStore;

beforeEach(async () => {
  server = await openStandIn({ nodes: 3 });
  proxies = await Promise.all(
    server.nodes.map(({ port }) => openTcpProxy({ host: '127.0.0.1', port })),
  );
  store = open();
});

afterEach(async () => {
  await store.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await server.close();
});

function open(options = ''): KurrentEventStore {
  const seeds = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const connectionString = `esdb://${seeds}?tls=false${options}`;
  return new KurrentEventStore({ connectionString, namespace: server.namespace(), answerLimitMs });
}

const append = (timeoutMs: number) =>
  store.append(newStream(), newEvents(1), 'no-stream', { timeoutMs });

describe('Connection', () => {
  it('lets appends wait until a leader is found', async () => {
    proxies.forEach((proxy) => proxy.blackHole());
    const waiting = upTo(5).map(() => append(30_000));
    // Longer than the limit of a call: the first connection is closed in the meantime.
    expect(await failure(store.head({ timeoutMs: 4 * answerLimitMs }))).toBeInstanceOf(
      StoreUnavailableError,
    );
    proxies.forEach((proxy) => proxy.heal());
    for (const { version } of await Promise.all(waiting)) expect(version).toBe(1);
  });

  it('closes without waiting for a leader', async () => {
    // Looking for a leader takes longer here than the test waits.
    const seeking = open('&gossipTimeout=60');
    proxies.forEach((proxy) => proxy.blackHole());
    const append = seeking.append(newStream(), newEvents(1), 'no-stream', {
      timeoutMs: 4 * answerLimitMs,
    });
    const waiting = failure(append);
    const closed = seeking.close().then(() => true);
    await waiting;
    await waitFor('a connection that is closed', () => closed);
  });

  it('rejects every pending and new call at once after it was closed', async () => {
    await append(10_000);
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const reading = failure(store.head({ timeoutMs: 30_000 }));
    await store.close();
    const refused = [reading, failure(append(30_000)), failure(store.identity())];
    for (const error of await Promise.all(refused)) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(String(error)).toMatch(/closed/);
    }
  });

  it('names the reported leader if it cannot be reached', async () => {
    const leader = await server.faults.switch({ fault: 'lose-leader', end: 'unavailable', to: 1 });
    // An unused address is refused at once, while a name lookup could take any time.
    const host = '255.255.255.255';
    await server.faults.switch({ fault: 'advertise', node: leader, host });
    const named = `it names ${host}:${server.nodes[leader]?.port} as its leader`;
    const byGossip = failure(store.head({ timeoutMs: 3 * answerLimitMs }));
    const { connectionString = '' } = server.nodes[0] ?? {};
    const byRefusal = new KurrentEventStore({
      connectionString,
      namespace: server.namespace(),
      // A refusal that arrives late on a busy machine must not count as a missing answer.
      answerLimitMs: 3 * answerLimitMs,
    });
    const options = { timeoutMs: 3 * answerLimitMs };
    for (const error of [
      await byGossip,
      await failure(byRefusal.head(options)),
      await failure(byRefusal.identity(options)),
    ]) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(String(error)).toContain(named);
    }
    const error = await failure(byRefusal.append(newStream(), newEvents(1), 'no-stream', options));
    // Which error depends on whether an attempt is in progress at the deadline: see pending-append.spec.ts.
    expect([StoreUnavailableError, OutcomeUnknownError]).toContain(Object(error).constructor);
    expect(String(error)).toContain(named);
    await byRefusal.close();
  });
});

describe('a connection over TLS', () => {
  let files: TestDirectory;
  let secured: StandInKurrentDb;
  let secret: string;
  let tls: TestCertificate;

  beforeEach(async () => {
    files = await makeTestDirectory();
    secret = join(files.directory, 'password');
    tls = await newTestCertificate(files.directory);
    await writeFile(secret, 'first');
    secured = await openStandIn({
      tls,
      users: [{ login: 'service', password: 'first', groups: ['$admins'] }],
    });
  });
  afterEach(async () => {
    await secured.close();
    await files.remove();
  });

  const openSecured = () =>
    new KurrentEventStore({
      connectionString: secured.connectionStringWith('service', secret),
      namespace: secured.namespace(),
      answerLimitMs,
      quietMs: 300,
    });

  it('uses the new password after its file has changed', async () => {
    const over = openSecured();
    const stream = newStream();
    const following = collect(over, 'start', 3);
    await over.append(stream, newEvents(1), 'no-stream');
    await secured.faults.switch({ fault: 'change-password', login: 'service', password: 'second' });
    const refused = await failure(over.append(stream, newEvents(1), 1));
    expect(String(refused)).toMatch(/denies access/);
    await writeFile(secret, 'second\n');
    await secured.faults.switch({ fault: 'cut-subscriptions', end: 'unavailable' });
    expect((await over.append(stream, newEvents(1), 1)).version).toBe(2);
    expect((await over.append(stream, newEvents(1), 2)).version).toBe(3);
    expect(await following).toHaveLength(3);
    // A file that is being written or was removed changes nothing.
    await writeFile(secret, '');
    expect(await over.readStream(stream, { limit: 5 })).toHaveLength(3);
    await over.close();
  });

  it('uses the new certificate authority after its file has changed', async () => {
    const over = openSecured();
    const stream = newStream();
    await over.append(stream, newEvents(1), 'no-stream');
    await secured.faults.switch({ fault: 'stop-node', node: 0 });
    await newTestCertificate(files.directory);
    await secured.faults.switch({ fault: 'start-node', node: 0 });
    expect((await over.append(stream, newEvents(1), 1, { timeoutMs: 30_000 })).version).toBe(2);
    await over.close();
  });

  it('keeps its connection while the file of the certificate authority is missing', async () => {
    const over = openSecured();
    const stream = newStream();
    await over.append(stream, newEvents(1), 'no-stream');
    await rm(tls.certFile);
    await secured.faults.switch({ fault: 'drop-answers', count: 1 });
    const timeoutMs = 4 * answerLimitMs;
    const unanswered = await failure(over.append(stream, newEvents(1), 'any', { timeoutMs }));
    expect(unanswered).toBeInstanceOf(OutcomeUnknownError);
    expect((await over.append(stream, newEvents(1), 2)).version).toBe(3);
    await over.close();
  });
});
