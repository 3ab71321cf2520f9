import { type AgentDefinition } from '#agent-contracts';
import { createDatabase, createPool } from '#database';
import { listenToStatements, projectAll, useTestStore, waitFor } from '#testing';

import { TestRuns, claimParts } from './runs.fixture.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { type QueueFilter } from './queue-filter.js';

const lease = { by: 'ada', leaseMs: 60_000 };
const agents = ['a', 'b'];
const filter = { workspace: 'w', agents, contexts: null, workflows: null };
const definition: AgentDefinition = { name: 'A', role: 'works', kind: 'llm' };

describe('limits of running attempts', () => {
  const on = useTestStore();

  /** Starts runs that each have a waiting attempt for agent `a`, and one for `b`. */
  const begin = async (runs: number) => {
    const steps = agents.map((agent) => ({ id: agent, type: 'agent', agent }));
    const started = await TestRuns.publish(on, steps, { parallel: true });
    for (let n = 0; n < runs; n++) await started.start(`c-${n}`);
    await projectAll(on.db, on.store);
    return claimParts(on.db);
  };
  type Parts = Awaited<ReturnType<typeof begin>>;

  const limitWorkspace = ({ settings }: Parts, maxRunningAttempts: number) =>
    settings.change('w', (overrides) => ({ ...overrides, maxRunningAttempts }), 'ada');
  const limitAgent = (parts: Parts, agentId: string, maxRunningAttempts: number) =>
    parts.agents.register('w', agentId, {
      // NUL in a text of the definition, which PostgreSQL does not accept in JSON.
      definition: { ...definition, persona: '\0', maxRunningAttempts },
      by: 'ada',
      replaces: true,
    });
  const live = async () => {
    const { rows } = await on.pool.query<{ agent: string; count: number }>(`
      select agent, count(*)::integer from throughline.run_claims
      where not ended and lease_until > clock_timestamp() group by agent order by agent`);
    return rows;
  };
  const claimNext = async (
    { queue }: Parts,
    from: QueueFilter = filter,
    except: readonly WaitingAttempt[] = [],
  ) => {
    for (;;) {
      const next = await queue.claimNext(from, lease, except);
      if (next !== 'overtaken') return next;
    }
  };
  /** Claims until no attempt may start. */
  const claimAll = async (parts: Parts) => {
    const claimed: WaitingAttempt[] = [];
    for (;;) {
      const next = await claimNext(parts);
      if (!next) return claimed;
      claimed.push(next.waiting);
    }
  };

  it('hold for concurrent claims of several processes', async () => {
    const here = await begin(10);
    await limitWorkspace(here, 4);
    await limitAgent(here, 'b', 1);
    const pool = createPool({
      connectionString: on.pool.options.connectionString ?? '',
      applicationName: 'another process',
    });
    const there = claimParts(createDatabase(pool));
    for (let round = 0; round < 3; round++) {
      const waiting = await here.queue.waiting(filter, 500);
      expect(waiting.map(({ agent }) => agent).sort()).toEqual(['a', 'a', 'a', 'b']);
      /** Claims the next attempt of the rows, or a given one. */
      const claim = async (parts: Parts, at: number) => {
        const attempt = at % 4 < 2 ? waiting[at % 3] : undefined;
        if (!attempt) return (await claimNext(parts))?.waiting;
        return (await parts.claims.claim('w', attempt, lease)) ? attempt : undefined;
      };
      const claimed = await Promise.all(
        Array.from({ length: 20 }, (_, at) => claim(at % 2 === 0 ? here : there, at)),
      );
      const started = claimed.filter((attempt) => attempt !== undefined);
      expect(started).toHaveLength(4);
      expect(await live()).toEqual([
        { agent: 'a', count: 3 },
        { agent: 'b', count: 1 },
      ]);
      for (const attempt of started) await there.claims.end('w', attempt);
    }
    await pool.end();
  });

  it('of an agent do not block later attempts of other agents', async () => {
    const parts = await begin(3);
    await limitAgent(parts, 'a', 2);
    expect((await claimAll(parts)).map(({ agent }) => agent).sort()).toEqual([
      'a',
      'a',
      'b',
      'b',
      'b',
    ]);
  });

  it('follow the newest version of settings and agents, which may have none', async () => {
    const parts = await begin(3);
    await limitWorkspace(parts, 1);
    await limitAgent(parts, 'a', 1);
    expect(await claimAll(parts)).toHaveLength(1);
    await limitWorkspace(parts, 3);
    expect(await claimAll(parts)).toHaveLength(2);
    await parts.settings.change('w', () => ({}), 'ada');
    await parts.agents.register('w', 'a', { definition, by: 'ada', replaces: true });
    expect(await claimAll(parts)).toHaveLength(3);
  });

  it('have room again, which is reported, once an attempt has ended or its claim was given up', async () => {
    const parts = await begin(2);
    await limitWorkspace(parts, 1);
    const rooms: unknown[] = [];
    parts.limits.onRoom((workspace, held) => rooms.push([workspace, held]));
    const handedOver = (await parts.queue.waiting({ ...filter, agents: ['b'] })).at(-1);
    const [first] = await claimAll(parts);
    expect(await parts.queue.waiting(filter)).toEqual([]);
    expect(handedOver && (await parts.claims.claim('w', handedOver, lease))).toBeUndefined();
    expect(rooms).toEqual([]);
    if (first) await parts.claims.end('w', first);
    expect(rooms).toEqual([['w', handedOver]]);
    expect(await parts.queue.waiting(filter)).toHaveLength(1);
    const second = await claimNext(parts);
    if (second) await parts.claims.giveUp('w', second.waiting, second.endsAt);
    expect(await claimAll(parts)).toHaveLength(1);
  });

  it('do not count claims that the caller excludes because it does not start them', async () => {
    const parts = await begin(2);
    await limitAgent(parts, 'a', 1);
    const ofA = { ...filter, agents: ['a'] };
    const claimed = await claimNext(parts, ofA);
    expect(claimed).toBeDefined();
    expect(await claimNext(parts, ofA)).toBeUndefined();
    const except = claimed ? [claimed.waiting] : [];
    expect(await claimNext(parts, ofA, except)).toBeDefined();
  });

  it('do not count lapsed leases until a late heartbeat renews them', async () => {
    const parts = await begin(3);
    await limitWorkspace(parts, 1);
    const ofB = { ...filter, agents: ['b'] };
    const [late] = await parts.queue.waiting(ofB);
    if (late) await parts.claims.claim('w', late, { ...lease, leaseMs: 1 });
    const second = await waitFor('room', () => claimNext(parts, { ...filter, agents: ['a'] }));
    if (late) await parts.claims.renew('w', late, lease);
    expect(await live()).toEqual(agents.map((agent) => ({ agent, count: 1 })));
    if (second) await parts.claims.end('w', second.waiting);
    expect(await claimAll(parts)).toEqual([]);
    if (late) await parts.claims.end('w', late);
    expect(await claimAll(parts)).toHaveLength(1);
  });

  it('need no further statement if none is set', async () => {
    const parts = await begin(3);
    const sent = listenToStatements(on.pool);
    const handedOver = (await parts.queue.waiting(filter)).at(-1);
    const claims = [
      () => parts.queue.claimNext(filter, lease),
      async () => handedOver && parts.claims.claim('w', handedOver, lease),
    ];
    const costs: number[] = [];
    for (const claim of claims) costs.push((await sent.during(claim)).length);
    expect(costs).toEqual([1, 1]);
    await limitWorkspace(parts, 10);
    // One more statement, not a transaction of several, in which a process might stop while it holds the lock.
    expect(await sent.during(() => parts.queue.claimNext(filter, lease))).toHaveLength(2);
  });

  it('refuse transactions whose isolation would hide earlier commits', async () => {
    const parts = await begin(1);
    await limitWorkspace(parts, 1);
    const url = new URL(on.pool.options.connectionString ?? '');
    url.searchParams.set('options', '-c default_transaction_isolation=serializable');
    const pool = createPool({ connectionString: url.href, applicationName: 'strict' });
    await expect(claimParts(createDatabase(pool)).queue.claimNext(filter, lease)).rejects.toThrow(
      'attempts are claimed in READ COMMITTED, not in serializable',
    );
    await pool.end();
  });
});
