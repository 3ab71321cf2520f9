import { randomUUID } from 'node:crypto';

import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

import { type StandInKurrentDb, openStandIn } from './test-kurrentdb.js';
import { waitFor } from './wait-for.js';
import {
  collectEvents,
  connect,
  connectUnbatched,
  followAll,
  followStream,
  newRevisions,
  readFailure,
  outcomeOf,
} from './test-kurrentdb.client.js';

// Three nodes of the stand-in. The first is the leader at the beginning.

let server: StandInKurrentDb;
let clients: EventStoreDBClient[];
beforeEach(async () => {
  clients = [];
  server = await openStandIn({ nodes: 3 });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  await server.close();
});

function open(connectionString: string, by = connectUnbatched): EventStoreDBClient {
  const client = by(connectionString);
  clients.push(client);
  return client;
}

const nodeUrl = (index: number) => server.nodes[index]?.connectionString ?? '';
const portOf = (index: number) => server.nodes[index]?.port;
const newStream = () => `${server.namespace()}-a`;
const event = (id: string = randomUUID()) => jsonEvent({ id, type: 'happened', data: {} });
const fresh = { requiresLeader: true };

async function failureOf(call: Promise<unknown>) {
  return await call.then(
    () => 'no failure',
    (error: unknown) => readFailure(error).type,
  );
}

/** Like a client must, retries the failures that an election causes. */
async function persist<Result>(call: () => Promise<Result>): Promise<Result> {
  const answers: Result[] = [];
  await waitFor(
    'an answer of the elected leader',
    async () => {
      try {
        answers.push(await call());
        return 'answered';
      } catch (error) {
        const { type } = readFailure(error);
        if (!/^(unavailable|cancelled|not-leader)$/.test(type)) throw error;
        return type;
      }
    },
    { until: (outcome) => outcome === 'answered' },
  );
  return answers[0] as Result;
}

describe('discovery', () => {
  it.each([
    ['several seeds', () => server.connectionString],
    ['one host to discover by', () => nodeUrl(2).replace('esdb://', 'esdb+discover://')],
  ])('finds the leader from %s', async (_, url) => {
    const client = open(url());
    const stream = newStream();
    await client.appendToStream(stream, event(), fresh);
    expect(await collectEvents(client.readStream(stream, fresh))).toHaveLength(1);
    expect(await server.faults.switch({ fault: 'lose-leader', end: 'cancelled', to: 2 })).toBe(2);
    const other = open(url());
    expect(await collectEvents(other.readStream(stream, fresh))).toHaveLength(1);
  });
});

describe('a follower', () => {
  it('rejects calls that require the leader, and names the leader', async () => {
    const stream = newStream();
    await open(nodeUrl(0)).appendToStream(stream, event());
    const refused = {
      type: 'not-leader',
      leader: { address: '127.0.0.1', port: portOf(0) },
    };
    const calls: ((client: EventStoreDBClient) => Promise<unknown>)[] = [
      (client) => collectEvents(client.readStream(stream, fresh)),
      (client) => collectEvents(client.readAll(fresh)),
      (client) => client.appendToStream(stream, event(), fresh),
      (client) => client.deleteStream(stream, fresh),
    ];
    for (const call of calls) await expect(call(open(nodeUrl(1)))).rejects.toMatchObject(refused);
    const batch = open(nodeUrl(1), connect).appendToStream(stream, event(), fresh);
    await expect(batch).rejects.toMatchObject(refused);
    expect(await newRevisions(open(nodeUrl(2)), stream)).toEqual([0n]);
  });

  it('redirects a subscription to the leader only if it must deliver history', async () => {
    const client = open(nodeUrl(1));
    const [stream, other] = [newStream(), newStream()];
    await client.appendToStream(stream, event());
    const all = followAll(client, { fromPosition: 'start', ...fresh });
    await all.until((reports) => reports.includes('failed: not-leader'));
    expect(all.reports).toEqual(['confirmed', 'failed: not-leader']);
    const begun = followStream(open(nodeUrl(1)), stream, 'start', fresh);
    await begun.until((reports) => reports.includes('failed: not-leader'));
    const live = followAll(open(nodeUrl(1)), { fromPosition: 'end', ...fresh });
    const empty = followStream(open(nodeUrl(1)), other, 'start', fresh);
    await live.until((reports) => reports.includes('caught up'));
    await empty.until((reports) => reports.includes('caught up'));
    await live.end();
    await empty.end();
  });

  it('forwards writes, and processes reads itself', async () => {
    const client = open(nodeUrl(1), connect);
    const stream = newStream();
    expect(await outcomeOf(client.appendToStream(stream, event()))).toBe('revision 0');
    expect(await outcomeOf(open(nodeUrl(2)).appendToStream(stream, event()))).toBe('revision 1');
    expect(await newRevisions(client, stream)).toEqual([0n, 1n]);
  });

  it('that is frozen returns stale data, both to reads and to subscriptions, and no other node does', async () => {
    const [leader, follower] = [open(nodeUrl(0)), open(nodeUrl(1))];
    const stream = newStream();
    await leader.appendToStream(stream, event());
    const followed = followAll(follower, { fromPosition: 'end' });
    await followed.until((reports) => reports.includes('caught up'));
    await server.faults.switch({ fault: 'freeze', node: 1, isOn: true });
    await leader.appendToStream(stream, event());
    expect(await newRevisions(follower, stream)).toEqual([0n]);
    const all = await collectEvents(
      follower.readAll({ direction: 'backwards', fromPosition: 'end' }),
    );
    expect(all[0]).toMatchObject({ streamId: stream, revision: 0n });
    expect(followed.events).toEqual([]);
    expect(await failureOf(collectEvents(follower.readStream(stream, fresh)))).toBe('not-leader');
    expect(await newRevisions(open(nodeUrl(2)), stream)).toEqual([0n, 1n]);
    await server.faults.switch({ fault: 'freeze', node: 1, isOn: false });
    await followed.until((reports) => reports.includes(`1@${stream}`));
    expect(await newRevisions(open(nodeUrl(1)), stream)).toEqual([0n, 1n]);
    await followed.end();
  });
});

describe('an election', () => {
  it.each(['cancelled', 'unavailable'] as const)(
    'ends the streams of the old leader with %s, and the new one takes over',
    async (end) => {
      const client = open(server.connectionString);
      const stream = newStream();
      await client.appendToStream(stream, event(), fresh);
      const followed = followAll(client, { fromPosition: 'end' });
      await followed.until((reports) => reports.includes('caught up'));
      expect(await server.faults.switch({ fault: 'lose-leader', end })).toBe(1);
      await followed.until((reports) => reports.includes(`failed: ${end}`));
      const appended = event();
      const { nextExpectedRevision } = await persist(() =>
        client.appendToStream(stream, appended, { expectedRevision: 0n, ...fresh }),
      );
      expect(nextExpectedRevision).toBe(1n);
      const old = open(nodeUrl(0)).readStream(stream, fresh);
      await expect(collectEvents(old)).rejects.toMatchObject({ leader: { port: portOf(1) } });
    },
  );

  it('ends open streams of batches, and discards recent ids', async () => {
    const client = open(server.connectionString, connect);
    const stream = newStream();
    const appended = event();
    await client.appendToStream(stream, appended);
    expect(await outcomeOf(client.appendToStream(stream, appended))).toBe('revision 0');
    await server.faults.switch({ fault: 'lose-leader', end: 'unavailable' });
    expect(await server.faults.switch({ fault: 'end-append-streams' })).toBe(0);
    const again = await persist(() => client.appendToStream(stream, appended));
    expect(again.nextExpectedRevision).toBe(1n);
  });

  it('leaves only a gap in $all', async () => {
    const client = open(nodeUrl(2));
    const stream = newStream();
    await client.appendToStream(stream, [event(), event()]);
    await server.faults.switch({ fault: 'lose-leader', end: 'cancelled' });
    await client.appendToStream(stream, event());
    const last = client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 3 });
    const shown = (await collectEvents(last)).toReversed();
    expect(shown.map(({ revision }) => revision)).toEqual([0n, 1n, 2n]);
    const [first = 0n, second = 0n, third = 0n] = shown.map(({ position }) => position?.commit);
    expect(third - second).toBeGreaterThan(second - first);
  });
});

describe('a node that stops', () => {
  it('hands over if it was the leader, and returns on its port as a follower', async () => {
    const client = open(server.connectionString);
    const stream = newStream();
    await client.appendToStream(stream, event(), fresh);
    const followed = followAll(client, { fromPosition: 'end' });
    await followed.until((reports) => reports.includes('caught up'));
    await server.faults.switch({ fault: 'stop-node', node: 0 });
    await followed.until((reports) => reports.some((each) => each.startsWith('failed')));
    expect(await failureOf(collectEvents(open(nodeUrl(0)).readStream(stream)))).toBe('unavailable');
    const { nextExpectedRevision } = await persist(() =>
      client.appendToStream(stream, event(), fresh),
    );
    expect(nextExpectedRevision).toBe(1n);
    await server.faults.switch({ fault: 'start-node', node: 0 });
    const back = open(nodeUrl(0));
    expect(await newRevisions(back, stream)).toEqual([0n, 1n]);
    expect(await failureOf(collectEvents(back.readStream(stream, fresh)))).toBe('not-leader');
  });

  it('with another leaves no majority: reads continue, writes do not', async () => {
    const client = open(nodeUrl(2));
    const stream = newStream();
    await client.appendToStream(stream, event());
    await server.faults.switch({ fault: 'stop-node', node: 0 });
    await server.faults.switch({ fault: 'stop-node', node: 1 });
    expect(await newRevisions(client, stream)).toEqual([0n]);
    expect(await outcomeOf(client.appendToStream(stream, event()))).toBe('unavailable');
    await server.faults.switch({ fault: 'start-node', node: 1 });
    expect(await outcomeOf(open(nodeUrl(2)).appendToStream(stream, event()))).toBe('revision 1');
  });

  it('that is the only node preserves the log', async () => {
    const alone = await openStandIn();
    const client = open(alone.connectionString);
    const stream = newStream();
    const appended = event();
    await client.appendToStream(stream, appended);
    await alone.faults.switch({ fault: 'stop-node', node: 0 });
    expect(await outcomeOf(client.appendToStream(stream, event(), { deadline: 200 }))).toMatch(
      /^(unavailable|deadline-exceeded)$/,
    );
    await alone.faults.switch({ fault: 'start-node', node: 0 });
    const { nextExpectedRevision } = await persist(() =>
      client.appendToStream(stream, appended, { expectedRevision: 'no_stream' }),
    );
    expect(nextExpectedRevision).toBe(0n);
    // Its memory of recent ids is lost.
    expect(await outcomeOf(client.appendToStream(stream, appended))).toBe('revision 1');
    await client.dispose();
    await alone.close();
  });

  it('loses the calls that it has received but not processed', async () => {
    const alone = await openStandIn();
    const client = open(alone.connectionString);
    const stream = newStream();
    await alone.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const lost = client.appendToStream(stream, event(), { deadline: 200 });
    expect(await outcomeOf(lost)).toBe('deadline-exceeded');
    await alone.faults.switch({ fault: 'stop-node', node: 0 });
    await alone.faults.switch({ fault: 'start-node', node: 0 });
    const read = persist(() => newRevisions(client, stream));
    await expect(read).rejects.toMatchObject({ type: 'stream-not-found' });
    await client.dispose();
    await alone.close();
  });
});
