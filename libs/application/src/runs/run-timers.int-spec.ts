import { findRun, findRunStep } from '#shared-context';
import { projectAll, useTestStore, waitFor } from '#testing';
import { type RunCommand } from '#workflow';

import { LostAttempts } from './lost-attempts.js';
import { RunTimers } from './run-timers.js';
import { StoreClock } from './store-clock.js';
import { TestRuns, claimParts, copyRows, testRunOptions } from './runs.fixture.js';

const hash = 'ab'.repeat(32);

describe('time in runs', () => {
  const on = useTestStore();

  /** Starts a run `ago` milliseconds before the time of the database, with timers that have not started. */
  const begin = async (steps: readonly object[], ago: number, more: object = {}) => {
    const runs = await TestRuns.publish(on, steps, more);
    const { claims: attemptClaims } = claimParts(on.db);
    const failures: unknown[] = [];
    const note = (error: unknown) => void failures.push(error);
    const lost = new LostAttempts(on.db, runs.due, attemptClaims, note);
    const timers = new RunTimers(runs.due, lost, note, testRunOptions);
    await runs.start('c', ago);
    const advance = (runCommand: RunCommand) => runs.advance('c', runCommand, ago);
    return { runs, timers, attemptClaims, advance, state: () => runs.state('c'), failures };
  };
  const report = {
    stepId: 'a',
    visit: 1,
    attempt: 1,
    tokenHash: hash,
    worker: { principal: 'admin', agent: 'a' },
  };
  const claim = { ...report, type: 'claim', effectKey: hash } as const;
  const project = () => projectAll(on.db, on.store);

  it('ends attempts at their deadline, and schedules the next one', async () => {
    const steps = [{ id: 'a', type: 'agent', agent: 'a', timeout_ms: 1_000, max_retries: 2 }];
    const { timers, advance, state } = await begin(steps, 5_000);
    await advance(claim);
    await project();
    expect(await timers.advanceDue()).toBe(1);
    expect(findRunStep('a', await state())).toMatchObject({ attempt: 2, status: 'scheduled' });
    await project();
    expect(await timers.advanceDue()).toBe(0);
  });

  it('makes approvals expire', async () => {
    const steps = [{ id: 'p', type: 'approval', expiry: { after_ms: 1_000, default: 'approve' } }];
    const { timers, state } = await begin(steps, 5_000);
    await project();
    expect(await timers.advanceDue()).toBe(1);
    expect(findRun(await state())).toMatchObject({ status: 'completed' });
  });

  it('ends runs at their maximum duration', async () => {
    const steps = [{ id: 'a', type: 'agent', agent: 'a', timeout_ms: 60_000 }];
    const long = await begin(steps, 5_000, { max_duration_ms: 2_000 });
    await project();
    expect(await long.timers.advanceDue()).toBe(1);
    expect(findRun(await long.state())).toMatchObject({ status: 'failed', guard: 'duration' });
  });

  it('ends cancellations at their deadline', async () => {
    const steps = [{ id: 'a', type: 'agent', agent: 'a', timeout_ms: 60_000 }];
    const { timers, advance, state } = await begin(steps, 5_000);
    await advance(claim);
    await advance({ type: 'cancel', graceMs: 1_000, by: 'ada' });
    expect(findRun(await state())).toMatchObject({ status: 'cancelling' });
    await project();
    expect(await timers.advanceDue()).toBe(1);
    expect(findRun(await state())).toMatchObject({ status: 'cancelled' });
  });

  it('advances a run after 1,600 others that time cannot change', async () => {
    const steps = [{ id: 'p', type: 'approval', expiry: { after_ms: 1_000, default: 'approve' } }];
    const { timers, runs } = await begin(steps, 60_000);
    await project();
    await copyRows(on.db, 'c', 1_600);
    // From now on, the earlier runs wait for a person.
    await new StoreClock(on.db).renewEpoch();
    await runs.start('late', 5_000);
    await project();
    expect(await timers.advanceDue()).toBe(1);
    expect(findRun(await runs.state('late'))).toMatchObject({ status: 'completed' });
  });

  describe('an attempt whose worker has stopped', () => {
    const steps = [{ id: 'a', type: 'agent', agent: 'a', recovery: 'keyed' }];
    const waiting = {
      contextId: 'c',
      runId: 'run-c',
      stepId: 'a',
      visit: 1,
      attempt: 1,
      version: 3,
    };
    const row = { ...waiting, agent: 'a' };
    const lapsing = { by: 'ada', leaseMs: 1 };
    const claims = async () =>
      (await on.pool.query('select from throughline.run_claims')).rows.length;

    it('is found, even if it was started after its claim had lapsed', async () => {
      const { timers, attemptClaims, advance, state } = await begin(steps, 0);
      await attemptClaims.claim('w', row, lapsing);
      // Losses are recorded only after the database was reached for the duration of a lease.
      const since = performance.now();
      await waitFor('a check after the duration of a lease', async () => {
        await timers.advanceDue();
        return performance.now() - since > 1_000;
      });
      expect(await claims()).toBe(1);
      await advance(claim);
      await waitFor('the loss', () => timers.advanceDue());
      expect(findRunStep('a', await state())).toMatchObject({ attempt: 2, status: 'scheduled' });
      expect(await claims()).toBe(0);
    });

    it('is found, even if another worker has tried to start it since', async () => {
      const { timers, attemptClaims, advance, state } = await begin(steps, 0);
      await attemptClaims.claim('w', row, lapsing);
      await advance(claim);
      const other = await waitFor('a second claim', () =>
        attemptClaims.claim('w', row, { by: 'bob' }),
      );
      await attemptClaims.giveUp('w', row, other ?? '');
      await waitFor('the loss', () => timers.advanceDue());
      expect(findRunStep('a', await state())).toMatchObject({ attempt: 2, status: 'scheduled' });
    });

    it('is not lost while its worker sends heartbeats, even if another claim ends', async () => {
      const { attemptClaims, advance } = await begin(steps, 0);
      await attemptClaims.claim('w', row, lapsing);
      await advance(claim);
      const other = await waitFor('a second claim', () =>
        attemptClaims.claim('w', row, { by: 'bob' }),
      );
      const until = await attemptClaims.renew('w', row, { by: 'ada', leaseMs: 60_000 });
      await attemptClaims.giveUp('w', row, other ?? '');
      const { rows } = await on.pool.query('select lease_until from throughline.run_claims');
      expect(rows).toEqual([{ lease_until: until }]);
    });
  });

  it('changes no run whose items are not due or that time does not change', async () => {
    const steps = [{ id: 'a', type: 'agent', agent: 'a', timeout_ms: 1_000 }];
    const { timers, advance, failures } = await begin(steps, 0);
    await project();
    expect(await timers.advanceDue()).toBe(0);
    await advance({ type: 'cancel', graceMs: 0, by: 'ada' });
    // The rows do not have the cancellation yet.
    expect(await timers.advanceDue()).toBe(0);
    expect(failures).toEqual([]);
  });
});
