import { EventStoreDBClient } from '@eventstore/db-client';

import { KurrentEventStore } from '#event-store-kurrentdb';
import { createLogger, loadConfig } from '#platform';
import { HistoryWriter, type TestKurrentDb, did, newEvents, openTestKurrentDb } from '#testing';

import { verifyConfigured } from './verify-configured.js';
import { verifyStore } from './verify-store.js';

const outputs = (count: number) =>
  Array.from({ length: count }, (_, n) => did('StepOutputAdded', { stepId: `s-${n}`, output: n }));

describe('the verification of streams in KurrentDB', () => {
  let server: TestKurrentDb;
  let namespace: string;
  let store: KurrentEventStore;
  let administrator: EventStoreDBClient;

  beforeAll(async () => {
    server = await openTestKurrentDb();
    administrator = EventStoreDBClient.connectionString(server.connectionString);
  });
  afterAll(async () => {
    await administrator.dispose();
    await server.close();
  });

  beforeEach(async () => {
    namespace = server.namespace();
    store = new KurrentEventStore({ connectionString: server.connectionString, namespace });
    const history = new HistoryWriter(store);
    for (const contextId of ['a', 'b', 'c'])
      await history.append(contextId, did('ContextCreated', {}), ...outputs(5));
  });
  afterEach(() => store.close());

  const nameOf = (contextId: string) => `${namespace}-context-default:${contextId}`;
  const finding = (contextId: string, version: number, reason: string) => ({
    stream: `context-default:${contextId}`,
    version,
    reason,
  });

  it('reports nothing for an unmodified log, also with the configuration of the command', async () => {
    const config = loadConfig({
      EVENTSTORE_URL: server.connectionString,
      EVENTSTORE_NAMESPACE: namespace,
    });
    expect(await verifyConfigured(config, createLogger({ logLevel: 'silent' }))).toEqual({
      streams: 3,
      events: 18,
      broken: 0,
      findings: [],
      missingPosition: null,
    });
  });

  it('names the first event that breaks its hash chain', async () => {
    await store.append('context-default:b', newEvents(2), 6);
    expect(await verifyStore(store)).toMatchObject({
      streams: 3,
      events: 20,
      broken: 1,
      findings: [finding('b', 7, 'unreadable-envelope')],
    });
  });

  it('names a stream with events of another one, and a stream that belongs to no context', async () => {
    const moved = await store.readStream('context-default:a', { limit: 9 });
    await store.append('context-default:z', moved, 'no-stream');
    await store.append('else', newEvents(1), 'no-stream');
    expect((await verifyStore(store)).findings).toEqual([
      finding('z', 1, 'wrong-hash'),
      { stream: 'else', version: 1, reason: 'foreign-stream' },
    ]);
  });

  it('names streams that were truncated or deleted although the log still contains them', async () => {
    await administrator.setStreamMetadata(nameOf('a'), { truncateBefore: 2 });
    await administrator.deleteStream(nameOf('b'));
    expect((await verifyStore(store)).findings).toEqual([
      finding('a', 1, 'hidden'),
      finding('b', 1, 'hidden'),
    ]);
  });
});
