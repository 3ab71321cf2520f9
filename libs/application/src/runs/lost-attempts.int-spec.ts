import { findRunStep } from '#shared-context';
import { useTestStore, waitFor } from '#testing';

import { LostAttempts } from './lost-attempts.js';
import { TestRuns, claimParts } from './runs.fixture.js';

const steps = [{ id: 'a', type: 'agent', agent: 'a', recovery: 'keyed' }];
const hash = 'ab'.repeat(32);

describe('several attempts whose leases have lapsed', () => {
  const on = useTestStore();

  const begin = () => {
    const { claims } = claimParts(on.db);
    const failures: unknown[] = [];
    const lostIn = ({ due }: TestRuns) =>
      new LostAttempts(on.db, due, claims, (error) => void failures.push(error));
    /** Starts a run, and its attempt with a lease that lapses at once. */
    const abandon = async (runs: TestRuns, contextId: string) => {
      const attempt = { contextId, runId: `run-${contextId}`, stepId: 'a', visit: 1, attempt: 1 };
      const waiting = { ...attempt, version: 3, agent: 'a' };
      await runs.start(contextId);
      await claims.claim('w', waiting, { by: 'ada', leaseMs: 1 });
      await runs.advance(contextId, {
        type: 'claim',
        stepId: 'a',
        visit: 1,
        attempt: 1,
        tokenHash: hash,
        effectKey: hash,
        worker: { principal: 'admin', agent: 'a' },
      });
      return waiting;
    };
    return { claims, failures, lostIn, abandon };
  };
  const attemptIn = async (runs: TestRuns, contextId: string) => {
    const step = findRunStep('a', await runs.state(contextId));
    return { attempt: step?.attempt, status: step?.status };
  };

  it('are not lost if their workers send a heartbeat while others are recorded as lost', async () => {
    const { claims, lostIn, abandon } = begin();
    const runs = await TestRuns.publish(on, steps);
    await abandon(runs, 'gone');
    const late = await abandon(runs, 'late');
    const lost = lostIn(runs);
    const holder = await on.pool.connect();
    // The lock delays the loss of the first attempt, which reads its agent, until after the heartbeat of the second one.
    await holder.query('begin');
    await holder.query('lock table throughline.agent_versions');
    const losing = waitFor('the loss', () => lost.recordLost());
    await waitFor('a check that reads the agent', async () => {
      const { rows } = await on.pool.query(
        "select from pg_locks where relation = 'throughline.agent_versions'::regclass and not granted",
      );
      return rows.length > 0;
    });
    await claims.renew('w', late, { by: 'ada', leaseMs: 60_000 });
    await holder.query('rollback');
    holder.release();
    expect(await losing).toBe(1);
    expect(await attemptIn(runs, 'gone')).toEqual({ attempt: 2, status: 'scheduled' });
    expect(await attemptIn(runs, 'late')).toEqual({ attempt: 1, status: 'running' });
  });

  it('are lost even if the run of an earlier one cannot be written', async () => {
    const { failures, lostIn, abandon } = begin();
    const broken = await TestRuns.publish(on, steps, { id: 'broken' });
    const runs = await TestRuns.publish(on, steps);
    await abandon(broken, 'broken');
    await abandon(runs, 'gone');
    await on.pool.query(
      "update throughline.workflow_versions set definition = '{}' where definition_id = 'broken'",
    );
    const lost = lostIn(runs);
    await waitFor('the loss', () => lost.recordLost());
    expect(await attemptIn(runs, 'gone')).toEqual({ attempt: 2, status: 'scheduled' });
    expect(await attemptIn(broken, 'broken')).toEqual({ attempt: 1, status: 'running' });
    expect(failures).toHaveLength(1);
  });
});
