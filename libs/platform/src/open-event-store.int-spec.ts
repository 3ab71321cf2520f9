import {
  type StandInKurrentDb,
  makeTestDirectory,
  newEvents,
  newStream,
  newTestCertificate,
  openStandIn,
} from '#testing';

import { loadConfig } from './config.js';
import { createLogger, type Logger } from './logger.js';
import { EventStoreStartError, type OpenEventStore, openEventStore } from './open-event-store.js';

describe('openEventStore', () => {
  let server: StandInKurrentDb;
  let opened: OpenEventStore[];
  let warnings: unknown[];

  beforeAll(async () => {
    server = await openStandIn();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    opened = [];
    warnings = [];
  });
  afterEach(() => Promise.all(opened.map((store) => store.close())));

  const open = async (env: Record<string, string>, startLimitMs?: number) => {
    const quiet = createLogger({ logLevel: 'silent' });
    const log: Logger = Object.assign(quiet, {
      warn: (...message: unknown[]) => warnings.push(message),
    });
    const store = await openEventStore({
      config: loadConfig(env),
      log,
      openPool: () => {
        throw new Error('no streams are in PostgreSQL');
      },
      ...(startLimitMs !== undefined && { startLimitMs }),
    });
    opened.push(store);
    return store;
  };
  const refusal = async (url: string, startLimitMs?: number) => {
    const error = await open({ EVENTSTORE_URL: url }, startLimitMs).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EventStoreStartError);
    return error instanceof Error ? error.message : '';
  };

  it('opens KurrentDB if EVENTSTORE_URL is set, with a separate store per namespace', async () => {
    const [one, other] = [server.namespace(), server.namespace()];
    const env = (EVENTSTORE_NAMESPACE: string) => ({
      EVENTSTORE_URL: server.connectionString,
      EVENTSTORE_NAMESPACE,
    });
    const store = await open(env(one));
    const stream = newStream();
    await store.append(stream, newEvents(2), 'no-stream');
    const [again, elsewhere] = [await open(env(one)), await open(env(other))];
    expect(await again.readStream(stream, { limit: 5 })).toHaveLength(2);
    expect(await again.identity()).toBe(await store.identity());
    expect(await elsewhere.head()).toBe('start');
    expect(await elsewhere.identity()).not.toBe(await store.identity());
    // No warning, because the stand-in is on a loopback address.
    expect(warnings).toEqual([]);
  });

  it('fails with one sentence, which does not quote the URL, if no server answers', async () => {
    const message = await refusal('esdb://admin:changeit@127.0.0.1:9?tls=false', 300);
    expect(message).toMatch(/^EVENTSTORE_URL: KurrentDB does not answer: check that .+\.$/);
    expect(message).not.toMatch(/admin|changeit|127/);
  });

  it('fails if the user is unknown or may not read $all', async () => {
    const { directory, remove } = await makeTestDirectory();
    const secured = await openStandIn({
      tls: await newTestCertificate(directory),
      users: [{ login: 'service', password: 'of-service', groups: [] }],
    });
    try {
      for (const account of ['service:of-nobody', 'service:of-service']) {
        const message = await refusal(secured.connectionStringAs(account));
        expect(message).toMatch(/^EVENTSTORE_URL: KurrentDB denies access: .*\$all/);
        expect(message).not.toMatch(/service|of-|127/);
      }
    } finally {
      await secured.close();
      await remove();
    }
  });

  it('fails without quoting the URL if the URL is invalid', async () => {
    const message = await refusal('esdb://admin:changeit@host:not-a-port');
    expect(message).toMatch(/^EVENTSTORE_URL: .+port number/);
    expect(message).not.toContain('changeit');
  });

  it('fails if the server is too old', async () => {
    const old = await openStandIn({ serverVersion: '23.10.8' });
    try {
      expect(await refusal(old.connectionString)).toBe(
        'EVENTSTORE_URL: the server is EventStoreDB 23.10.8, which can skip events: use 24.2 or newer.',
      );
    } finally {
      await old.close();
    }
  });

  it('waits for a server that is starting', async () => {
    const slow = await openStandIn();
    try {
      await slow.faults.switch({ fault: 'stop-node', node: 0 });
      const opening = open({ EVENTSTORE_URL: slow.connectionString });
      await slow.faults.switch({ fault: 'start-node', node: 0 });
      expect(await (await opening).head()).toBe('start');
    } finally {
      await slow.close();
    }
  });

  it('warns if events would be sent unencrypted over a network', async () => {
    await refusal('esdb://nobody:secret@kurrentdb.invalid:2113?tls=false', 50);
    expect(warnings).toEqual([
      [{ eventStore: 'KurrentDB at kurrentdb.invalid:2113' }, expect.stringContaining('tls=false')],
    ]);
  });
});
