import {
  OutputRefusedError,
  RunConflictError,
  RuleViolationError,
  StaleAttemptError,
} from '#shared-context';

import { type SampleDefinition, RunWorld, hashOf } from '#testing';

function oneStep(more: object = {}): SampleDefinition {
  return { steps: [{ id: 'code', type: 'agent', agent: 'coder', ...more }] };
}

describe('an attempt', () => {
  it('starts with a claim, from which its timeout counts', () => {
    const world = RunWorld.start(oneStep({ timeout_ms: 30_000 }));
    world.time = 60_000;
    world.claim('code');
    expect(world.last('StepAttemptStarted')).toMatchObject({
      path: 'code#1',
      attempt: 1,
      tokenHash: hashOf('code-token'),
      deadline: '2026-11-25T18:01:30.000Z',
    });
  });

  it('is stored under its worker, and the conclusions under the executor', () => {
    const world = RunWorld.start(oneStep());
    world.claim('code');
    expect(world.complete('code', 1).map(({ type, principal }) => [type, principal])).toEqual([
      ['StepOutputAdded', undefined],
      ['StepRouted', 'executor'],
      ['RunCompleted', 'executor'],
    ]);
  });

  it('is claimed once: a repeated claim stores nothing, and another one is stale', () => {
    const world = RunWorld.start(oneStep());
    world.claim('code', 'mine');
    expect(world.claim('code', 'mine')).toEqual([]);
    expect(() => world.claim('code', 'other')).toThrow(StaleAttemptError);
  });

  it('accepts reports with its own token only', () => {
    const world = RunWorld.start(oneStep());
    world.claim('code', 'mine');
    expect(() => world.complete('code', 1, 'other')).toThrow(StaleAttemptError);
    world.complete('code', 1, 'mine');
    expect(() => world.complete('code', 1, 'mine')).toThrow(StaleAttemptError);
    expect(() => world.complete('code', 1, 'other')).toThrow(StaleAttemptError);
  });

  it('is stale after its visit', () => {
    const world = RunWorld.start(oneStep({ next: { to: 'code', max_visits: 3 } }));
    world.claim('code', 'first');
    const first = { stepId: 'code', visit: 1, attempt: 1, tokenHash: hashOf('first') };
    const late = { ...first, type: 'complete', output: 1, worker: { principal: 'coder' } } as const;
    world.complete('code', 1, 'first');
    expect(() => world.execute(late)).toThrow(StaleAttemptError);
    world.claim('code', 'second');
    expect(() => world.execute(late)).toThrow(StaleAttemptError);
  });

  it('is retried after a failure until the number of attempts is reached, including the first one', () => {
    const world = RunWorld.start(oneStep({ max_retries: 2 }));
    world.fail('code', 'first');
    expect(world.last('StepScheduled')).toMatchObject({ path: 'code#1', attempt: 2 });
    world.fail('code', 'second');
    expect(world.last('RunFailed')).toMatchObject({
      stepId: 'code',
      attempts: 2,
      reason: 'step "code" failed: second',
    });
    expect(world.run).toMatchObject({ status: 'failed', iterations: 1 });
  });

  it('is retried after a growing delay with jitter', () => {
    const retry = { max_attempts: 5, delay_ms: 1_000, factor: 3, max_delay_ms: 20_000 };
    const delays = [0, 0.5, 0.999].map((random) => {
      const world = RunWorld.start(oneStep({ retry }));
      world.random = random;
      return [1, 2, 3, 4].map(() => {
        const failedAt = world.time;
        world.fail('code');
        const { dueAt } = world.last('StepScheduled');
        world.time = Date.parse(dueAt) - Date.parse(world.run.startedAt);
        return world.time - failedAt;
      });
    });
    expect(delays).toEqual([
      [0, 0, 0, 0],
      [500, 1_500, 4_500, 10_000],
      [999, 2_997, 8_991, 19_980],
    ]);
  });

  it('cannot be claimed before it is due or before the reported retry time', () => {
    const world = RunWorld.start(oneStep({ max_retries: 2, retry_delay_ms: 1_000 }));
    world.claim('code');
    const { visit, attempt } = world.step('code');
    const report = { stepId: 'code', visit, attempt, tokenHash: hashOf('code-token') };
    const failure = {
      reason: '429',
      retryable: true,
      retryAfterMs: 9_000,
      worker: { principal: 'coder' },
    };
    world.execute({ ...report, ...failure, type: 'fail' });
    expect(() => world.claim('code')).toThrow(RunConflictError);
    world.time += 9_000;
    expect(world.claim('code').map(({ type }) => type)).toEqual(['StepAttemptStarted']);
  });

  it.each([
    ['the failure is not retryable', { retryable: false }],
    ['its code is excluded', { code: 'refused' }],
  ])('is not retried if %s', (_, failure) => {
    const retry = { max_attempts: 5, non_retryable: ['refused'] };
    const world = RunWorld.start(oneStep({ retry }));
    world.fail('code', 'no', failure);
    expect(world.run.status).toBe('failed');
  });

  it('times out at its deadline, as a failure that can be retried', () => {
    const world = RunWorld.start(oneStep({ timeout_ms: 5_000, max_retries: 2 }));
    world.claim('code', 'slow');
    expect(world.dueAt).toBe('2026-11-25T18:00:05.000Z');
    expect(world.pass(4_999)).toEqual([]);
    world.pass(1);
    expect(world.last('StepAttemptTimedOut')).toMatchObject({ attempt: 1, cause: 'deadline' });
    expect(world.step('code')).toMatchObject({ status: 'scheduled', attempt: 2 });
    const late = { stepId: 'code', visit: 1, attempt: 1, tokenHash: hashOf('slow') };
    const report = {
      ...late,
      type: 'complete',
      output: 1,
      worker: { principal: 'coder' },
    } as const;
    expect(() => world.execute(report)).toThrow(StaleAttemptError);
  });

  it('fails before its start if an input is missing, and names the step without output', () => {
    const world = RunWorld.start({
      steps: [
        { id: 'find', type: 'agent', agent: 'a', output: 'files', on_error: 'use' },
        { id: 'use', type: 'agent', agent: 'b', input: 'files' },
      ],
    });
    world.fail('find');
    const reason =
      'step "use" requires "files" as its input, but step "find" has no output: ' +
      'route the run so that "find" succeeds before "use", or remove "files" from the "input" of "use"';
    expect(world.last('StepAttemptFailed')).toMatchObject({
      stepId: 'use',
      code: 'missing-input',
      retryable: false,
      reason,
    });
    expect(world.last('StepRouted')).toMatchObject({ stepId: 'use', outcome: 'failed', reason });
    expect(world.run.status).toBe('failed');
  });
});

describe('an attempt whose worker is lost', () => {
  it.each(['replay_safe', 'keyed'] as const)('is repeated if its recovery is %s', (recovery) => {
    const world = RunWorld.start(oneStep({ recovery }));
    world.claim('code');
    world.lose('code');
    expect(world.last('StepAttemptTimedOut')).toMatchObject({ attempt: 1, cause: 'lost' });
    expect(world.last('StepScheduled')).toMatchObject({ attempt: 2, recovers: 1 });
    expect(world.envelope('code')).toMatchObject({
      step: { attempt: 2, visit: 1 },
      recovers: { attempt: 1, verify: false },
    });
    world.finish('code', 'done');
    expect(world.run.status).toBe('completed');
  });

  it('does not count as an attempt of its step, but is repeated a limited number of times only', () => {
    const world = RunWorld.start(oneStep({ recovery: 'keyed' }));
    for (let lost = 0; lost < 6; lost++) {
      expect(world.run.status).toBe('running');
      world.claim('code');
      world.lose('code');
    }
    expect(world.run).toMatchObject({ status: 'failed', failedStep: { stepId: 'code' } });
  });

  it('is verified first if the recovery of its step is `verify`', () => {
    const steps = oneStep({ recovery: 'verify', verify: 'checker' });
    const world = RunWorld.start(steps);
    world.claim('code');
    world.lose('code');
    expect(world.last('StepScheduled')).toMatchObject({
      attempt: 2,
      agent: 'checker',
      recovers: 1,
      verify: true,
    });
    expect(() => world.finish('code', 'what?')).toThrow(RuleViolationError);
    world.complete('code', { tookEffect: false });
    const again = world.last('StepScheduled');
    expect(again).toMatchObject({ attempt: 3, agent: 'coder' });
    expect(again).not.toHaveProperty('verify');
    world.claim('code');
    world.lose('code');
    world.finish('code', { tookEffect: true, output: 'merged' });
    expect(world.last('StepOutputAdded')).toMatchObject({ stepId: 'code', output: 'merged' });
    expect(world.run.status).toBe('completed');
  });

  it('is not repeated after failed verifications, but leads to a question to a person', () => {
    const world = RunWorld.start(
      oneStep({ recovery: 'verify', verify: 'checker', max_retries: 3 }),
    );
    world.claim('code');
    world.lose('code');
    for (let verification = 1; verification <= 6; verification++) {
      expect(world.step('code')).toMatchObject({ agent: 'checker', verify: true, recovers: 1 });
      world.time += 10_000;
      world.fail('code', 'the service cannot be reached');
    }
    expect(world.step('code').status).toBe('doubt');
    const again = RunWorld.start(oneStep({ recovery: 'verify', verify: 'checker' }));
    again.claim('code');
    again.lose('code');
    again.fail('code', 'it never will be reached', { retryable: false });
    expect(again.step('code').status).toBe('doubt');
  });

  it('accepts no report after a stored failure, even while the step waits for a person', () => {
    const world = RunWorld.start(oneStep({ recovery: 'verify', verify: 'checker' }));
    world.claim('code');
    world.lose('code');
    world.fail('code', 'it never will be reached', { retryable: false });
    expect(world.step('code').status).toBe('doubt');
    const { visit, attempt, tokenHash } = world.step('code');
    const own = { stepId: 'code', visit, attempt, tokenHash: tokenHash ?? '' };
    const report = { ...own, worker: { principal: 'checker' } };
    const again = { ...report, type: 'fail', reason: 'as before', retryable: false } as const;
    expect(() => world.execute(again)).toThrow(StaleAttemptError);
    const output = { tookEffect: true };
    const late = { ...report, type: 'complete', output } as const;
    expect(() => world.execute(late)).toThrow(StaleAttemptError);
  });

  it('leads to a question after its verifiers were lost repeatedly, and the last verifier may still report', () => {
    const world = RunWorld.start(oneStep({ recovery: 'verify', verify: 'checker' }));
    for (let lost = 1; lost <= 6; lost++) {
      world.claim('code');
      world.lose('code');
    }
    expect(world.step('code')).toMatchObject({ status: 'doubt', attempt: 6 });
    world.complete('code', { tookEffect: true, output: 'done' });
    expect(world.run.status).toBe('completed');
  });

  it('names the attempt that it recovers after any number of failures', () => {
    const world = RunWorld.start(oneStep({ recovery: 'keyed', max_retries: 3 }));
    world.claim('code');
    world.lose('code');
    world.fail('code');
    world.time += 60_000;
    expect(world.step('code')).toMatchObject({ attempt: 3, recovers: 1 });
  });

  it('is repeated regardless of its recovery if no worker has received it', () => {
    const world = RunWorld.start(oneStep({ recovery: 'ask' }));
    world.claim('code');
    const { visit, attempt } = world.step('code');
    const lost = { type: 'lose', stepId: 'code', visit, attempt, usual: 'ask' } as const;
    world.execute({ ...lost, isUndelivered: true });
    expect(world.step('code')).toMatchObject({ status: 'scheduled', attempt: 2 });
  });

  it('continues after a report that breaks the contract of its agent was rejected', () => {
    const world = RunWorld.start(oneStep());
    world.claim('code');
    const { visit, attempt, tokenHash } = world.step('code');
    const report = { stepId: 'code', visit, attempt, tokenHash: tokenHash ?? '', output: 1 };
    const worker = { principal: 'coder' };
    const refused = { ...report, type: 'complete', worker, faults: ['/total is missing'] } as const;
    expect(() => world.execute(refused)).toThrow(OutputRefusedError);
    expect(() => world.execute({ ...refused, tokenHash: hashOf('other') })).toThrow(
      StaleAttemptError,
    );
    world.complete('code', { total: 1 });
    expect(world.run.status).toBe('completed');
  });

  it.each([
    ['retry', { type: 'StepScheduled', data: { attempt: 2, recovers: 1 } }],
    ['skip', { type: 'StepRouted', data: { outcome: 'skipped' } }],
    ['output', { type: 'StepOutputAdded', data: { output: 'by hand' } }],
    ['fail', { type: 'StepAttemptFailed', data: { code: 'doubt', retryable: false } }],
  ] as const)('leads to one question to a person, who answers %s', (action, event) => {
    const world = RunWorld.start(oneStep());
    world.claim('code');
    world.lose('code');
    expect(world.lose('code')).toEqual([]);
    const { approvalId, attempt } = world.last('ApprovalRequested');
    expect({ approvalId, attempt }).toEqual({ approvalId: 'r1~code~1~1', attempt: 1 });
    const answer = {
      approvalId,
      action,
      output: 'by hand',
      by: { principal: 'ada', agents: [] },
    } as const;
    const events = world.execute({ type: 'answer', ...answer });
    expect(events).toContainEqual(
      expect.objectContaining({ ...event, data: expect.objectContaining(event.data) }),
    );
  });

  it.each([
    ['ask', 'ApprovalRequested'],
    ['verify', 'StepScheduled'],
  ])('is recovered by %s after its deadline if its step sets that recovery', (recovery, type) => {
    const verify = recovery === 'verify' ? { verify: 'checker' } : {};
    const world = RunWorld.start(
      oneStep({ recovery, ...verify, timeout_ms: 1_000, max_retries: 3 }),
    );
    world.claim('code');
    const events = world.pass(1_000);
    expect(events.at(-1)).toMatchObject({ type });
    if (recovery === 'ask') {
      world.complete('code', 'late, but nobody has answered');
      expect(world.run.status).toBe('completed');
    } else expect(world.last('StepScheduled')).toMatchObject({ verify: true, agent: 'checker' });
  });

  it('accepts no report after its deadline, even before the timeout is stored', () => {
    const world = RunWorld.start(oneStep({ timeout_ms: 1_000 }));
    world.claim('code');
    world.time += 1_000;
    expect(() => world.complete('code', 'late')).toThrow(StaleAttemptError);
    expect(() => world.fail('code')).toThrow(StaleAttemptError);
    world.pass(0);
    expect(world.last('StepAttemptTimedOut')).toMatchObject({ cause: 'deadline' });
  });

  it('may still report until a person has answered', () => {
    const world = RunWorld.start(oneStep());
    world.claim('code');
    world.lose('code');
    world.complete('code', 'late but there');
    expect(world.last('ApprovalDecided')).toMatchObject({ decision: 'withdrawn', attempt: 1 });
    expect(world.run.status).toBe('completed');
  });

  it('accepts only answers for attempts in doubt', () => {
    const world = RunWorld.start(oneStep());
    world.claim('code');
    world.lose('code');
    expect(() => world.approve('code')).toThrow(RuleViolationError);
    const { approvalId } = world.last('ApprovalRequested');
    const answer = {
      type: 'answer',
      approvalId,
      action: 'output',
      by: { principal: 'ada', agents: [] },
    } as const;
    expect(() => world.execute(answer)).toThrow(RuleViolationError);
  });
});
