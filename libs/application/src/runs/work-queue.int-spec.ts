import {
  type PlanNode,
  analyzeStatement,
  listenToStatements,
  projectAll,
  useTestStore,
  waitFor,
} from '#testing';

import { TestRuns, claimParts, copyRows } from './runs.fixture.js';

const filter = { workspace: 'w', agents: ['a'], contexts: null, workflows: null };
const lease = { by: 'ada', leaseMs: 60_000 };
const others = 2_500;

/** Plans must not depend on the age of the statistics of tables. */
const statistics = [
  ['with statistics', 'vacuum analyze'],
  ['without statistics', 'select'],
] as const;

describe.each(statistics)('waiting attempts after 2,500 others, %s,', (_, refresh) => {
  const on = useTestStore();

  const begin = async ({ arePaused }: { arePaused: boolean }) => {
    const runs = await TestRuns.publish(on, [{ id: 'a', type: 'agent', agent: 'a' }]);
    await runs.start('other', 60_000);
    if (arePaused) await runs.advance('other', { type: 'pause', by: 'ada' });
    await projectAll(on.db, on.store);
    await copyRows(on.db, 'other', others - 1);
    await runs.start('newest');
    await projectAll(on.db, on.store);
    await on.pool.query(refresh);
    return claimParts(on.db);
  };
  const nodesOf = async (run: () => Promise<unknown>, table: string) => {
    const sent = [...(await listenToStatements(on.pool).withValues(run))];
    const plans: PlanNode[] = [];
    for (const statement of sent) plans.push(...(await analyzeStatement(on.pool, statement)));
    return plans.filter((node) => node.table === table);
  };
  const rowsIn = (nodes: readonly PlanNode[]) =>
    nodes.reduce((sum, { rows, removed }) => sum + rows + removed, 0);

  it('are found by one lookup of each paused run in an index', async () => {
    const { queue } = await begin({ arePaused: true });
    expect(await queue.waiting(filter)).toMatchObject([{ contextId: 'newest' }]);
    for (const run of [() => queue.waiting(filter), () => queue.claimNext(filter, lease)]) {
      const runs = await nodesOf(run, 'context_items');
      expect(runs.length).toBeGreaterThan(0);
      for (const { index, condition } of runs) {
        expect(index).toBe('context_items_active_runs');
        expect(condition).toContain('context_id = o.context_id');
      }
      expect(rowsIn(runs)).toBeLessThan(2);
    }
  });

  it('are read only up to the first one that may start', async () => {
    const { queue } = await begin({ arePaused: false });
    const claim = () => queue.claimNext(filter, lease);
    expect(rowsIn(await nodesOf(claim, 'open_work'))).toBeLessThan(5);
    expect(rowsIn(await nodesOf(claim, 'context_items'))).toBeLessThan(5);
  });

  it('are read only up to the first ones for several agents, and with a limit', async () => {
    const { queue, settings } = await begin({ arePaused: false });
    const ofSeveral = { ...filter, agents: ['z', 'a', 'b'] };
    const claims = [filter, ofSeveral].map((from) => () => queue.claimNext(from, lease));
    const reads = [filter, ofSeveral].map((from) => () => queue.waiting(from, 1));
    const expectFewRows = async () => {
      for (const run of [...claims, ...reads])
        for (const table of ['open_work', 'context_items', 'contexts']) {
          const nodes = await nodesOf(run, table);
          expect(nodes.length).toBeGreaterThan(0);
          expect(rowsIn(nodes)).toBeLessThan(100);
        }
    };
    await expectFewRows();
    await settings.change('w', (overrides) => ({ ...overrides, maxRunningAttempts: 100 }), 'ada');
    await expectFewRows();
  });
});

describe('a claim', () => {
  const on = useTestStore();

  it.each([[['a']], [['a', 'b']]])(
    'that another one overtakes finds the next attempt when repeated, for %p',
    async (agents) => {
      const runs = await TestRuns.publish(on, [{ id: 'a', type: 'agent', agent: 'a' }]);
      for (const contextId of ['first', 'second']) await runs.start(contextId);
      await projectAll(on.db, on.store);
      const { queue } = claimParts(on.db);
      const other = await on.pool.connect();
      await other.query('begin');
      await other.query(`
      insert into throughline.run_claims
        (workspace, context_id, step_id, version, run_id, visit, attempt, agent, claimed_by, lease_until)
      select workspace, context_id, key, from_version, 'run', 1, 1, 'a', 'bob', clock_timestamp() + interval '1 minute'
      from throughline.open_work where context_id = 'first' and kind = 'run-step'`);
      const claim = queue.claimNext({ ...filter, agents }, lease);
      await waitFor('a claim that waits for the other one', async () => {
        const { rows } = await on.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await other.query('commit');
      other.release();
      expect(await claim).toBe('overtaken');
      expect(await queue.claimNext({ ...filter, agents }, lease)).toMatchObject({
        waiting: { contextId: 'second' },
      });
      expect(await queue.claimNext({ ...filter, agents }, lease)).toBeUndefined();
    },
  );
});

describe('waiting attempts of several agents', () => {
  const on = useTestStore();

  it('are found up to a limit per agent, without excluded ones', async () => {
    const steps = ['a', 'b'].map((id) => ({ id, type: 'agent', agent: id }));
    const runs = await TestRuns.publish(on, [{ id: 'both', type: 'parallel', steps }]);
    await runs.start('w-1', 60_000);
    await projectAll(on.db, on.store);
    await copyRows(on.db, 'w-1', 30);
    const { queue } = claimParts(on.db);
    const both = { ...filter, agents: ['a', 'b', 'a'] };
    const found = await queue.waiting(both, 3);
    expect(found.map(({ agent }) => agent).toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    const others = await queue.waiting({ ...both, except: found }, 31);
    expect(others).toHaveLength(2 * 31 - found.length);
    for (const attempt of found) expect(others).not.toContainEqual(attempt);
  });
});
