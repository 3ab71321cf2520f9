import {
  type PlanNode,
  analyzeStatement,
  listenToStatements,
  projectAll,
  useTestStore,
} from '#testing';

import { TestRuns, claimParts, copyRows } from './test-runs.js';

const filter = { workspace: 'w', agents: ['a'], contexts: null, workflows: null };
const lease = { by: 'ada', leaseMs: 60_000 };
const others = 2_500;

/** Plans must not depend on how old the statistics of tables are. */
const statistics = [
  ['with statistics', 'vacuum analyze'],
  ['without statistics', 'select'],
] as const;

describe.each(statistics)('attempts that wait behind 2,500 others, %s', (_, refresh) => {
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
    return claimParts(on.db).queue;
  };
  const nodesOf = async (look: () => Promise<unknown>, table: string) => {
    const sent = [...(await listenToStatements(on.pool).withValues(look))];
    const plans: PlanNode[] = [];
    for (const statement of sent) plans.push(...(await analyzeStatement(on.pool, statement)));
    return plans.filter((node) => node.table === table);
  };
  const rowsIn = (nodes: readonly PlanNode[]) =>
    nodes.reduce((sum, { rows, removed }) => sum + rows + removed, 0);

  it('are found by one look at each paused run, by an index', async () => {
    const queue = await begin({ arePaused: true });
    expect(await queue.waiting(filter)).toMatchObject([{ contextId: 'newest' }]);
    for (const look of [() => queue.waiting(filter), () => queue.claimNext(filter, lease)]) {
      const runs = await nodesOf(look, 'context_items');
      expect(runs.length).toBeGreaterThan(0);
      for (const { index, condition } of runs) {
        expect(index).toBe('context_items_active_runs');
        expect(condition).toContain('context_id = o.context_id');
      }
      expect(rowsIn(runs)).toBeLessThan(2);
    }
  });

  it('are read only as far as the first one that may start', async () => {
    const queue = await begin({ arePaused: false });
    const claim = () => queue.claimNext(filter, lease);
    expect(rowsIn(await nodesOf(claim, 'open_work'))).toBeLessThan(5);
    expect(rowsIn(await nodesOf(claim, 'context_items'))).toBeLessThan(5);
  });
});

describe('attempts of several agents', () => {
  const on = useTestStore();

  it('are found however many wait for one of them, without those that the caller is not to be given', async () => {
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
