import { PersonNeededError, RunConflictError, StaleAttemptError } from '#shared-context';

import { RunWorld } from '#testing';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });
const sequence = { steps: [agent('a', { next: 'b' }), agent('b')] };
const by = 'ada';
const resume = { type: 'resume', by, isPerson: true, usual: {} } as const;

describe('starting a run', () => {
  it('succeeds once, and is rejected until the run before has ended', () => {
    const world = RunWorld.start(sequence, 1);
    expect(world.execute(world.startOf(1))).toEqual([]);
    world.runId = 'r2';
    expect(() => world.execute(world.startOf(2))).toThrow(RunConflictError);
    world.runId = 'r1';
    world.execute({ type: 'cancel', graceMs: 0, by });
    world.runId = 'r2';
    world.execute(world.startOf(2));
    expect(world.run).toMatchObject({ runId: 'r2', status: 'running', iterations: 1 });
    expect(world.envelope('a')).toMatchObject({ input: 2, context: {} });
  });

  it('records its definition, the version of its rules and its epoch', () => {
    const world = RunWorld.start(sequence);
    expect(world.last('RunStarted')).toMatchObject({
      runId: 'r1',
      interpreter: 1,
      epoch: 'epoch 1',
      steps: ['a', 'b'],
      definition: { definitionId: 'sample', version: 1 },
    });
  });
});

describe('a paused run', () => {
  it('starts no attempt, and stores the results of running attempts', () => {
    const world = RunWorld.start(sequence);
    world.claim('a');
    world.execute({ type: 'pause', reason: 'lunch', by });
    expect(world.execute({ type: 'pause', by })).toEqual([]);
    world.complete('a', 1);
    expect(world.stepsWith('scheduled')).toEqual(['b']);
    expect(() => world.claim('b')).toThrow(RunConflictError);
    world.execute(resume);
    expect(world.execute(resume)).toEqual([]);
    world.finish('b');
    expect(world.run.status).toBe('completed');
  });

  it('does not count its paused time as duration', () => {
    const world = RunWorld.start({ ...sequence, max_duration_ms: 1_000 });
    world.execute({ type: 'pause', by });
    expect(world.dueAt).toBeNull();
    world.pass(60_000);
    world.execute(resume);
    world.finish('a');
    expect(world.run).toMatchObject({ status: 'running', activeMs: 0 });
  });
});

describe('a run of another epoch', () => {
  it('waits until it is resumed in the current epoch', () => {
    const world = RunWorld.start(sequence);
    world.claim('a');
    world.epoch = 'epoch 2';
    expect(() => world.complete('a')).toThrow(StaleAttemptError);
    expect(world.pass(59_000)).toEqual([]);
    expect(world.lose('a')).toEqual([]);
    expect(() => world.execute({ ...resume, isPerson: false })).toThrow(PersonNeededError);
    world.execute(resume);
    expect(world.last('RunResumed')).toMatchObject({ epoch: 'epoch 2' });
    expect(world.run).toMatchObject({ epoch: 'epoch 2', active: ['a'] });
  });

  it('has lost all running attempts, which are recovered as their steps or agents define', () => {
    const world = RunWorld.start({
      steps: [
        {
          id: 'all',
          type: 'parallel',
          steps: [agent('asked'), agent('model'), agent('stated', { recovery: 'keyed' })],
        },
      ],
    });
    for (const stepId of ['asked', 'model', 'stated']) world.claim(stepId);
    world.epoch = 'epoch 2';
    world.execute({ ...resume, usual: { model: 'replay_safe' } });
    expect(world.step('asked').status).toBe('doubt');
    for (const stepId of ['model', 'stated'])
      expect(world.step(stepId)).toMatchObject({ status: 'scheduled', attempt: 2, recovers: 1 });
    expect(() => world.complete('model')).toThrow(StaleAttemptError);
    world.complete('asked', 'late, but nobody has answered');
    expect(world.run.active).toEqual(['all', 'model', 'stated']);
  });
});

describe('cancelling a run', () => {
  const both = {
    steps: [
      {
        id: 'both',
        type: 'parallel',
        steps: [agent('a'), agent('b'), { id: 'ask', type: 'approval' }],
      },
    ],
  };

  it('withdraws open approvals, starts no attempt, and lets running attempts end', () => {
    const world = RunWorld.start(both);
    world.claim('a');
    world.execute({ type: 'cancel', reason: 'enough', graceMs: 30_000, by });
    expect(world.run).toMatchObject({ status: 'cancelling', asking: 0, reason: 'enough' });
    expect(world.last('ApprovalDecided')).toMatchObject({ stepId: 'ask', decision: 'withdrawn' });
    expect(() => world.claim('b')).toThrow(RunConflictError);
    expect(world.execute({ type: 'cancel', graceMs: 60_000, by })).toEqual([]);
    world.complete('a', 'stored');
    expect(world.last('StepOutputAdded')).toMatchObject({ output: 'stored' });
    expect(world.run).toMatchObject({ status: 'cancelled', reason: 'enough' });
  });

  it('ends the run at the deadline even if attempts run', () => {
    const world = RunWorld.start(both);
    world.claim('a');
    world.execute({ type: 'cancel', graceMs: 30_000, by });
    expect(world.dueAt).toBe('2026-11-25T18:00:30.000Z');
    expect(world.pass(29_999)).toEqual([]);
    world.pass(1);
    expect(world.run.status).toBe('cancelled');
    expect(() => world.complete('a')).toThrow(StaleAttemptError);
  });

  it('ends the run at once if no attempt runs, and is rejected for an ended run', () => {
    const world = RunWorld.start(sequence);
    world.execute({ type: 'cancel', graceMs: 30_000, by });
    expect(world.run.status).toBe('cancelled');
    expect(world.execute({ type: 'cancel', graceMs: 0, by })).toEqual([]);
    const ended = RunWorld.start({ steps: [agent('a')] });
    ended.finish('a');
    expect(() => ended.execute({ type: 'cancel', graceMs: 0, by })).toThrow(RunConflictError);
    expect(() => ended.execute({ type: 'pause', by })).toThrow(RunConflictError);
  });

  it('ends the run at once if the grace period is 0', () => {
    for (const graceMs of [0, 30_000]) {
      const world = RunWorld.start(both);
      world.claim('a');
      world.execute({ type: 'cancel', graceMs, by });
      world.execute({ type: 'cancel', graceMs: 0, by });
      expect(world.run.status).toBe('cancelled');
      expect(() => world.complete('a')).toThrow(StaleAttemptError);
    }
  });

  it('needs no definition, unlike other commands', () => {
    const world = RunWorld.start(both);
    world.claim('a');
    world.definition = undefined;
    expect(() => world.complete('a')).toThrow(/publish workflow "sample" with hash/);
    expect(() => world.approve('ask')).toThrow(RunConflictError);
    world.epoch = 'epoch 2';
    world.execute({ type: 'cancel', graceMs: 10, by });
    world.pass(10);
    expect(world.run.status).toBe('cancelled');
  });

  it('does not retry an attempt that fails or is lost meanwhile', () => {
    const retried = { steps: [agent('a', { max_retries: 3, recovery: 'keyed' })] };
    const failed = RunWorld.start(retried);
    failed.claim('a');
    failed.execute({ type: 'cancel', graceMs: 30_000, by });
    failed.fail('a');
    expect(failed.run.status).toBe('cancelled');
    const lost = RunWorld.start(retried);
    lost.claim('a');
    lost.execute({ type: 'cancel', graceMs: 30_000, by });
    lost.lose('a');
    expect(lost.run.status).toBe('cancelled');
  });
});
