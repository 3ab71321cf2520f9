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

  /** Each run has an attempt that waits for agent `a`, and one for `b`. */
  const begin = async (runs: number) => {
    const steps = agents.map((agent) => ({ id: agent, type: 'agent', agent }));
    const started = await TestRuns.publish(on, steps, { parallel: true });
    for (let n = 0; n < runs; n++) await started.start(`c-${n}`);
    await projectAll(on.db, on.store);
    return claimParts(on.db);
  };
  type Parts = Awaited<ReturnType<typeof begin>>;

  const limitWorkspace = ({ settings }: Parts, maxRunningAttempts: number) =>
    settings.change('w', (stated) => ({ ...stated, maxRunningAttempts }), 'ada');
  const limitAgent = (parts: Parts, agentId: string, maxRunningAttempts: number) =>
    parts.agents.register('w', agentId, {
      // Texts of a definition may hold what PostgreSQL does not read as JSON.
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
    behind: readonly WaitingAttempt[] = [],
  ) => {
    for (;;) {
      const next = await queue.claimNext(from, lease, behind);
      if (next !== 'overtaken') return next;
    }
  };
  /** Claims until nothing may start. */
  const claimAll = async (parts: Parts) => {
    const claimed: WaitingAttempt[] = [];
    for (;;) {
      const next = await claimNext(parts);
      if (!next) return claimed;
      claimed.push(next.waiting);
    }
  };

  it('hold however many claim at once in however many processes', async () => {
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
      /** By rows, or an attempt that was handed over. */
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

  it('of an agent let the attempts of others start, whatever waits before them', async () => {
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

  it('are those of the newest version, in which they may be absent', async () => {
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

  it('leave room for the next attempt once one has ended, and say so, or once one was given up', async () => {
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

  it('do not count claims of which the caller starts nothing', async () => {
    const parts = await begin(2);
    await limitAgent(parts, 'a', 1);
    const ofA = { ...filter, agents: ['a'] };
    const behind = await claimNext(parts, ofA);
    expect(behind).toBeDefined();
    expect(await claimNext(parts, ofA)).toBeUndefined();
    const held = behind ? [behind.waiting] : [];
    expect(await claimNext(parts, ofA, held)).toBeDefined();
  });

  it('do not count lapsed leases, and count those again that a late heartbeat renews', async () => {
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

  it('cost no statement while none is set', async () => {
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
    // No transaction of several statements, in which a process might be stopped while it holds the lock.
    expect(await sent.during(() => parts.queue.claimNext(filter, lease))).toHaveLength(2);
  });

  it('are not counted in transactions that would not see what was committed before them', async () => {
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
