import { randomUUID } from 'node:crypto';

import {
  type Checkpoint,
  type CheckpointMetadata,
  emptyCheckpoint,
  ERROR,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import { ParentNotHeadError, ThroughlineSaver } from '@throughline/langgraph';
import { Throughline } from '@throughline/sdk';

import { beforeEach, describe, expect, inject, it } from 'vitest';

import { openClient } from './open-client.js';
import { ThroughlineServer, rootKey } from './throughline-server.js';

const metadata: CheckpointMetadata = { source: 'loop', step: 0, parents: {} };

let client: Throughline;
let saver: ThroughlineSaver;
let threadId: string;

beforeEach(() => {
  client = openClient();
  saver = openSaver();
  threadId = `story ${randomUUID()}`;
});

describe('a checkpoint', () => {
  it('is refused if its parent is not the head, with an error that names both', async () => {
    const root = await put({}, { topic: 'a' });
    const head = await put(root, { topic: 'b' });
    const late = put(root, { topic: 'c' });
    await expect(late).rejects.toThrow(ParentNotHeadError);
    await expect(late).rejects.toMatchObject({
      code: 'parent-not-head',
      threadId,
      namespace: '',
      parent: idOf(root),
      head: idOf(head),
    });
    await expect(late).rejects.toThrow(new RegExp(`${idOf(root)}.*${idOf(head)}`));
    expect(await idsOf(saver)).toEqual([idOf(head), idOf(root)]);
  });

  it('is refused by a saver that has not read the newer one yet', async () => {
    const root = await put({}, { topic: 'a' });
    const other = openSaver();
    await put(root, { topic: 'b' }, other);
    await expect(put(root, { topic: 'c' })).rejects.toThrow(ParentNotHeadError);
  });

  it('follows a head that another saver has stored', async () => {
    const root = await put({}, { topic: 'a' });
    const next = await put(root, { topic: 'b' }, openSaver());
    const last = await put(next, { topic: 'c' });
    expect(await idsOf(openSaver())).toEqual([idOf(last), idOf(next), idOf(root)]);
  });

  it('is not refused because of other writes to the context', async () => {
    const root = await put({}, { topic: 'a' });
    const path = `/v1/contexts/${saver.contextId(threadId)}/decisions`;
    await client.request('POST', path, { body: { decision: 'Sessions live in the database' } });
    await openSaver().putWrites(root, [['topic', 'b']], 'task');
    const next = await put(root, { topic: 'b' });
    expect((await saver.getTuple(next))?.checkpoint.channel_values).toEqual({ topic: 'b' });
  });

  it('is stored once if it is put again', async () => {
    const checkpoint = checkpointOf({ topic: 'a' });
    const config = configOf();
    await saver.put(config, checkpoint, metadata, checkpoint.channel_versions);
    await openSaver().put(config, checkpoint, metadata, checkpoint.channel_versions);
    expect(await idsOf(saver)).toEqual([checkpoint.id]);
  });

  it('wins or loses a race with another one, repeatedly', async () => {
    let head = await put({}, { count: 0 });
    for (let count = 1; count <= 5; count++) {
      const race = [openSaver(), openSaver()].map((one) => put(head, { count }, one));
      const results = await Promise.allSettled(race);
      const [won] = results.filter((result) => result.status === 'fulfilled');
      const [lost] = results.filter((result) => result.status === 'rejected');
      expect(lost?.reason).toBeInstanceOf(ParentNotHeadError);
      if (!won) throw new Error('nobody has won');
      head = won.value;
    }
    expect(await idsOf(saver)).toHaveLength(6);
  });

  it.each([
    ['two savers', openSaver],
    ['one saver', () => saver],
  ])(
    'that begins a thread is refused if another run has begun it since, with %s',
    async (_, open) => {
      const [one, two] = [open(), open()];
      expect(await one.getTuple(configOf())).toBeUndefined();
      expect(await two.getTuple(configOf())).toBeUndefined();
      const results = await Promise.allSettled([put({}, { by: 1 }, one), put({}, { by: 2 }, two)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await idsOf(saver)).toHaveLength(1);
    },
  );

  it('without a parent is refused over a head of another saver, whether that was read or not', async () => {
    const head = await put({}, { by: 'another' }, openSaver());
    const late = put({}, { by: 'this' });
    await expect(late).rejects.toThrow(ParentNotHeadError);
    await expect(late).rejects.toMatchObject({ parent: undefined, head: idOf(head) });
    await saver.getTuple(configOf());
    await expect(put({}, { by: 'this' })).rejects.toThrow(ParentNotHeadError);
    expect(await idsOf(openSaver())).toEqual([idOf(head)]);
  });

  it('without a parent is refused over a checkpoint that another saver has put after its own', async () => {
    const own = await put({}, { by: 1 });
    const head = await put(own, { by: 2 }, openSaver());
    await expect(put({}, { by: 1 })).rejects.toMatchObject({ head: idOf(head) });
  });

  it('without a parent may follow one of the same saver until a head is read, as in the published suite', async () => {
    await put({}, { topic: 'a' });
    const head = await put({}, { topic: 'b' });
    await saver.getTuple(configOf());
    await expect(put({}, { topic: 'c' })).rejects.toMatchObject({ head: idOf(head) });
  });

  it("may contain values outside of the server's JSON, and large ones", async () => {
    const deep = JSON.parse('['.repeat(100) + ']'.repeat(100));
    const values = {
      deep,
      nothing: 'a\u0000b',
      half: '\ud800',
      numbers: [0.1, 1e300, 123_456_789_012_345_680_000, -5e-324],
      bytes: new Uint8Array([0, 255]),
      map: new Map([['a', new Set([1])]]),
      large: 'größe'.repeat(400_000),
      larger: 'x'.repeat(1_500_000),
      small: 'beside',
    };
    const config = await put({}, values);
    const next = await put(config, { ...values, small: 'changed' }, saver, ['small']);
    for (const [at, small] of [
      [config, 'beside'],
      [next, 'changed'],
    ] as const)
      expect((await openSaver().getTuple(at))?.checkpoint.channel_values).toEqual({
        ...values,
        small,
      });
  });

  it('contains only its changed values, and is read together with the others', async () => {
    const messages = 'm'.repeat(10_000);
    let config = await put({}, { messages, count: 0 });
    for (let count = 1; count <= 20; count++)
      config = await put(config, { messages, count }, saver, ['count']);
    const { size } = await document<{ size: { bytes: number } }>();
    expect(size.bytes).toBeLessThan(25_000);
    const tuples = await Array.fromAsync(openSaver().list(configOf()));
    expect(tuples.map(({ checkpoint }) => checkpoint.channel_values)).toEqual(
      Array.from({ length: 21 }, (_, at) => ({ messages, count: 20 - at })),
    );
  });

  it('is an event of the context, whose document has the newest one', async () => {
    const root = await put({}, { topic: 'a' });
    const head = await put(root, { topic: 'b' });
    const path = `/v1/contexts/${saver.contextId(threadId)}`;
    const query = { types: 'StepOutputAdded' };
    const { body } = await client.request<{ items: { data: unknown; version: number }[] }>(
      'GET',
      `${path}/events`,
      { query },
    );
    expect(body.items.map(({ data }) => data)).toMatchObject([
      { stepId: 'langgraph', output: { id: idOf(root), values: { topic: { json: 'a' } } } },
      { stepId: 'langgraph', output: { id: idOf(head), parent: idOf(root) } },
    ]);
    const outputs = (asOf?: number) => document<{ stepOutputs: unknown }>(asOf);
    expect((await outputs()).stepOutputs).toMatchObject({ langgraph: { id: idOf(head) } });
    const first = body.items[0]?.version;
    expect((await outputs(first)).stepOutputs).toMatchObject({ langgraph: { id: idOf(root) } });
  });
});

describe('the writes of tasks', () => {
  it('are stored with their path, and read in the order in which a graph applies them', async () => {
    const config = await put({}, {});
    await saver.putWrites(config, [['a', 1]], 'task-1', '~__pregel_pull, z');
    await saver.putWrites(config, [['a', 2]], 'task-3', '~__pregel_pull, a');
    await saver.putWrites(
      config,
      [
        ['a', 3],
        ['b', 4],
      ],
      'task-2',
      '~__pregel_pull, a',
    );
    await saver.putWrites(config, [['a', 5]], 'task-4');
    const expected = [
      ['task-4', 'a', 5],
      ['task-2', 'a', 3],
      ['task-2', 'b', 4],
      ['task-3', 'a', 2],
      ['task-1', 'a', 1],
    ];
    expect((await openSaver().getTuple(config))?.pendingWrites).toEqual(expected);
    const [listed] = await Array.fromAsync(openSaver().list(configOf()));
    expect(listed?.pendingWrites).toEqual(expected);
    const events = `/v1/contexts/${saver.contextId(threadId)}/events`;
    const { body } = await client.request<{ items: { data: { output?: { path?: string } } }[] }>(
      'GET',
      events,
      {},
    );
    expect(body.items.map(({ data }) => data.output?.path)).toContain('~__pregel_pull, z');
  });

  it('count once if they are stored again, except special ones, which are replaced', async () => {
    const config = await put({}, {});
    for (const value of ['first', 'second'])
      await saver.putWrites(
        config,
        [
          ['a', value],
          [ERROR, value],
        ],
        'task',
      );
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([
      ['task', ERROR, 'second'],
      ['task', 'a', 'first'],
    ]);
  });

  it('may be stored before their checkpoint, as by a graph that does not wait', async () => {
    const root = await put({}, {});
    const checkpoint = checkpointOf({ topic: 'b' });
    const config = configOf(checkpoint.id);
    await saver.putWrites(config, [['a', 1]], 'task-1');
    await saver.put(root, checkpoint, metadata, checkpoint.channel_versions);
    await saver.putWrites(config, [['a', 2]], 'task-2');
    const expected = [
      ['task-1', 'a', 1],
      ['task-2', 'a', 2],
    ];
    expect((await openSaver().getTuple(configOf()))?.pendingWrites).toEqual(expected);
    await put(config, { topic: 'c' });
    expect((await openSaver().getTuple(config))?.pendingWrites).toEqual(expected);
  });
});

describe('a deleted thread', () => {
  it('has no checkpoints in any namespace, and its id may be used again', async () => {
    await put({}, { topic: 'a' });
    const child = checkpointOf({ topic: 'of a subgraph' });
    await saver.put(configOf('', 'child:1'), child, metadata, child.channel_versions);
    await saver.deleteThread(threadId);
    const reader = openSaver();
    expect(await reader.getTuple(configOf())).toBeUndefined();
    expect(await reader.getTuple(configOf('', 'child:1'))).toBeUndefined();
    expect(await reader.getTuple(configOf(child.id, 'child:1'))).toBeUndefined();
    expect(await idsOf(reader)).toEqual([]);
    const next = await put({}, { topic: 'b' });
    expect(await idsOf(reader)).toEqual([idOf(next)]);
  });

  it('retains its events, like all contexts', async () => {
    const config = await put({}, { topic: 'a' });
    await saver.deleteThread(threadId);
    const before = await document<{ stepOutputs: unknown }>(2);
    expect(before.stepOutputs).toMatchObject({ langgraph: { id: idOf(config) } });
  });

  it('refuses writes of a run that started before the deletion', async () => {
    const config = await put({}, { topic: 'a' });
    await openSaver().deleteThread(threadId);
    await expect(put(config, { topic: 'b' })).rejects.toMatchObject({
      parent: idOf(config),
      head: undefined,
    });
  });

  it('need not exist', async () => {
    await saver.deleteThread('never begun');
    expect(await saver.getTuple({ configurable: { thread_id: 'never begun' } })).toBeUndefined();
  });
});

describe('a copy of a checkpoint', () => {
  it('starts a separate thread', async () => {
    const root = await put({}, { topic: 'a' });
    await saver.putWrites(
      root,
      [
        ['a', 1],
        ['b', 2],
      ],
      'task',
      'path',
    );
    await put(root, { topic: 'b' });
    const copied = await saver.copyCheckpoint(root, `${threadId} again`);
    const tuple = await openSaver().getTuple(copied);
    expect(tuple).toMatchObject({
      config: { configurable: { thread_id: `${threadId} again`, checkpoint_id: idOf(root) } },
      checkpoint: { channel_values: { topic: 'a' } },
      metadata: { source: 'fork' },
      pendingWrites: [
        ['task', 'a', 1],
        ['task', 'b', 2],
      ],
    });
    const next = checkpointOf({ topic: 'c' });
    await saver.put(copied, next, metadata, next.channel_versions);
    await expect(saver.copyCheckpoint(root, `${threadId} again`)).rejects.toThrow(
      ParentNotHeadError,
    );
  });
});

describe('the agent of a client', () => {
  it('is the agent of the checkpoints', async () => {
    const ofAgent = new Throughline({ url: inject('url'), key: rootKey, agent: 'writer' });
    await put({}, { topic: 'a' }, openSaver(ofAgent));
    const events = await client.context(saver.contextId(threadId)).events().all();
    const origin = { agentId: 'writer' };
    expect(events).toMatchObject([{ origin }, { origin }]);
  });
});

describe('a key', () => {
  it('that is limited to the parent of the threads reaches them', async () => {
    const limited = openSaver(await keyOf({ contexts: ['langgraph.threads'] }));
    const root = await put({}, { topic: 'a' }, limited);
    expect((await limited.getTuple(root))?.checkpoint.channel_values).toEqual({ topic: 'a' });
  });

  it('with a filter is refused instead of getting a part of the state', async () => {
    const root = await put({}, { topic: 'a' });
    const narrow = openSaver(await keyOf({ audiences: ['reviewer'] }));
    await expect(narrow.getTuple(root)).rejects.toThrow('this key may not read');
    await expect(idsOf(narrow)).rejects.toThrow('this key may not read');
    await expect(put(root, { topic: 'b' }, narrow)).rejects.toThrow('this key may not read');
  });
});

describe('a server that crashes', () => {
  it('loses no acknowledged checkpoint', async () => {
    const server = await ThroughlineServer.start();
    try {
      saver = openSaver(clientOf(server));
      const root = await put({}, { topic: 'a' });
      await saver.putWrites(root, [['a', 1]], 'task');
      await server.restart();
      saver = openSaver(clientOf(server));
      const tuple = await saver.getTuple(configOf());
      expect(tuple?.pendingWrites).toEqual([['task', 'a', 1]]);
      const next = await put(root, { topic: 'b' });
      expect(await idsOf(saver)).toEqual([idOf(next), idOf(root)]);
    } finally {
      await server.stop();
    }
  });
});

function openSaver(of = client): ThroughlineSaver {
  return new ThroughlineSaver({ client: of });
}

async function keyOf(facts: Readonly<Record<string, unknown>>): Promise<Throughline> {
  const body = { role: 'agent', agentId: 'writer', ...facts };
  const { secret } = (await client.request<{ secret: string }>('POST', '/v1/keys', { body })).body;
  return new Throughline({ url: inject('url'), key: secret });
}

function clientOf({ url }: ThroughlineServer): Throughline {
  return new Throughline({ url, key: rootKey });
}

/** Changes the given channels, by default all. */
function put(
  parent: Parameters<ThroughlineSaver['put']>[0],
  values: Readonly<Record<string, unknown>>,
  by = saver,
  changed = Object.keys(values),
) {
  const checkpoint = checkpointOf(values);
  const { configurable = configOf().configurable } = parent;
  const versions = Object.fromEntries(
    changed.map((channel) => [channel, checkpoint.channel_versions[channel] ?? 0]),
  );
  return by.put({ configurable }, checkpoint, metadata, versions);
}

let lastVersion = 0;

function checkpointOf(values: Readonly<Record<string, unknown>>): Checkpoint {
  const versions = Object.keys(values).map((channel) => [channel, 1]);
  return {
    ...emptyCheckpoint(),
    id: uuid6(++lastVersion),
    channel_values: { ...values },
    channel_versions: Object.fromEntries(versions),
  };
}

function configOf(checkpointId = '', namespace = '') {
  const named = checkpointId === '' ? {} : { checkpoint_id: checkpointId };
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace, ...named } };
}

function idOf({ configurable }: Awaited<ReturnType<ThroughlineSaver['put']>>): string {
  return configurable.checkpoint_id;
}

async function idsOf(reader: ThroughlineSaver): Promise<string[]> {
  const tuples = await Array.fromAsync(reader.list({ configurable: { thread_id: threadId } }));
  return tuples.map(({ checkpoint }) => checkpoint.id);
}

async function document<T>(asOf?: number): Promise<T> {
  const path = `/v1/contexts/${saver.contextId(threadId)}`;
  return (await client.request<T>('GET', path, { query: { asOf } })).body;
}
