import { ApprovalAnsweredError, NotFoundError, OwnWorkError } from '#shared-context';

import { RunWorld, hashOf } from '#testing';

const approval = { id: 'approve', type: 'approval', on_approve: 'ship', on_reject: 'plan' };

function planned(more: object = {}) {
  return {
    steps: [
      { id: 'plan', type: 'agent', agent: 'planner', next: 'approve' },
      { ...approval, ...more },
      { id: 'ship', type: 'agent', agent: 'shipper' },
    ],
  };
}

/** A person and the agents that the person's key may act for. */
function person(principal: string, ...agents: string[]) {
  return { principal, agents };
}

function waitingForApproval(more: object = {}): RunWorld {
  const world = RunWorld.start(planned(more));
  world.finish('plan', 'the plan');
  return world;
}

describe('an approval', () => {
  it('is requested with its message and the authors of the work before it', () => {
    const world = waitingForApproval({ message: 'Ship it?' });
    expect(world.last('ApprovalRequested')).toMatchObject({
      approvalId: 'r1~approve~1',
      message: 'Ship it?',
      authors: [{ principal: 'planner' }],
    });
    expect(waitingForApproval().last('ApprovalRequested')).toMatchObject({ message: 'Approve?' });
  });

  it('routes the run by the decision and passes its comment to the next visit', () => {
    const world = waitingForApproval();
    world.reject('approve', 'too broad');
    expect(world.envelope('plan')).toMatchObject({ step: { visit: 2 }, feedback: 'too broad' });
    world.finish('plan', 'a smaller plan');
    expect(world.last('ApprovalRequested')).toMatchObject({ approvalId: 'r1~approve~2' });
    world.approve('approve', 'good');
    expect(world.envelope('ship')).toMatchObject({
      feedback: 'good',
      context: { approve: { approved: true, comment: 'good' } },
    });
  });

  it('is decided once: a repeated decision stores nothing, and any other is rejected', () => {
    const world = waitingForApproval();
    const approvalId = 'r1~approve~1';
    const approve = {
      type: 'decide',
      approvalId,
      decision: 'approved',
      by: person('ada'),
    } as const;
    world.execute(approve);
    expect(world.execute(approve)).toEqual([]);
    expect(() => world.execute({ ...approve, by: person('bob') })).toThrow(ApprovalAnsweredError);
    expect(() => world.execute({ ...approve, decision: 'rejected' })).toThrow(
      ApprovalAnsweredError,
    );
    expect(() => world.execute({ ...approve, approvalId: 'r1~approve~9' })).toThrow(NotFoundError);
  });

  it('cannot be decided for an earlier visit', () => {
    const world = waitingForApproval();
    world.reject('approve');
    world.finish('plan', 'again');
    const late = { type: 'decide', approvalId: 'r1~approve~1', by: person('bob') } as const;
    expect(() => world.execute({ ...late, decision: 'approved' })).toThrow(ApprovalAnsweredError);
  });

  it('cannot be decided by the author of the work, even if a transform has passed it on', () => {
    const world = RunWorld.start({
      steps: [
        { id: 'plan', type: 'agent', agent: 'planner', next: 'extract' },
        { id: 'extract', type: 'transform', transform: 'context.plan', next: 'approve' },
        { id: 'approve', type: 'approval' },
      ],
    });
    world.finish('plan', { files: [] });
    expect(() => world.approve('approve', undefined, 'planner')).toThrow(OwnWorkError);
    world.approve('approve');
    expect(world.run.status).toBe('completed');
  });

  it('cannot be decided by keys that may act for an author, or by the key that reported the work', () => {
    const world = RunWorld.start(planned());
    world.claim('plan');
    const { visit, attempt } = world.step('plan');
    const worker = { principal: 'key:ada', agent: 'planner' };
    const report = { stepId: 'plan', visit, attempt, tokenHash: hashOf('plan-token') };
    world.execute({ ...report, type: 'complete', output: 'the plan', worker });
    const approve = { type: 'decide', approvalId: 'r1~approve~1', decision: 'approved' } as const;
    for (const by of [person('key:ada'), person('key:bob', 'planner'), person('planner')])
      expect(() => world.execute({ ...approve, by })).toThrow(OwnWorkError);
    world.execute({ ...approve, by: person('key:bob', 'shipper') });
    expect(world.step('ship').status).toBe('scheduled');
  });

  it('names the authors of work that earlier conditions and branches have passed on', () => {
    const world = RunWorld.start({
      steps: [
        { id: 'draft', type: 'agent', agent: 'writer', next: 'both' },
        {
          id: 'both',
          type: 'parallel',
          next: 'good',
          steps: [
            { id: 'one', type: 'transform', transform: 'context.draft' },
            { id: 'two', type: 'agent', agent: 'checker' },
          ],
        },
        { id: 'good', type: 'condition', condition: 'context.both.success', then: 'approve' },
        { id: 'approve', type: 'approval' },
      ],
    });
    world.finish('draft', 'text');
    world.finish('two', 'fine');
    const { authors } = world.last('ApprovalRequested');
    expect(authors.map(({ principal }) => principal).toSorted()).toEqual(['checker', 'writer']);
  });

  it.each([
    [
      'one of more branches than are named',
      [
        {
          id: 'all',
          type: 'parallel',
          next: 'approve',
          steps: Array.from({ length: 105 }, (_, at) => ({
            id: `b${at}`,
            type: 'agent',
            agent: at === 104 ? 'mallory' : `a${at}`,
          })),
        },
      ],
    ],
    [
      'a failure that led to it',
      [{ id: 'risky', type: 'agent', agent: 'mallory', on_error: 'approve' }],
    ],
    [
      'work before more steps than are remembered',
      [
        { id: 'plan', type: 'agent', agent: 'mallory', next: 'c0' },
        ...Array.from({ length: 120 }, (_, at) => ({
          id: `c${at}`,
          type: 'condition',
          condition: 'true',
          then: at === 119 ? 'approve' : `c${at + 1}`,
        })),
      ],
    ],
  ])('cannot be decided by the author of %s', (_, steps) => {
    const approve = { id: 'approve', type: 'approval' };
    const world = RunWorld.start({ max_iterations: 1_000, steps: [...steps, approve] });
    for (const stepId of world.stepsWith('scheduled'))
      if (stepId === 'risky') world.fail(stepId, 'no', { retryable: false });
      else world.finish(stepId, 1);
    while (world.step('approve').status !== 'asking') world.pass(0);
    expect(() => world.approve('approve', undefined, 'mallory')).toThrow(OwnWorkError);
    world.approve('approve');
    expect(world.run.status).toBe('completed');
  });

  it('names the authors of the work before it if its input has no author', () => {
    const world = RunWorld.start({
      steps: [
        { id: 'copy', type: 'transform', transform: 'input', next: 'plan' },
        { id: 'plan', type: 'agent', agent: 'planner', next: 'approve' },
        { id: 'approve', type: 'approval', input: 'copy' },
      ],
    });
    world.finish('plan', 1);
    expect(() => world.approve('approve', undefined, 'planner')).toThrow(OwnWorkError);
  });

  it('cannot be decided after its expiry, even before the expiry is stored', () => {
    const world = waitingForApproval({ expiry: { after_ms: 10, default: 'reject' } });
    world.time += 10;
    expect(() => world.approve('approve')).toThrow(ApprovalAnsweredError);
    world.pass(0);
    expect(world.last('ApprovalDecided')).toMatchObject({ decision: 'rejected', expired: true });
  });

  it('ends the run as rejected if there is no route for a rejection', () => {
    const world = RunWorld.start({ steps: [{ id: 'approve', type: 'approval' }] });
    world.reject('approve', 'no');
    expect(world.last('RunCompleted')).toMatchObject({ outcome: 'rejected' });
    expect(world.run.status).toBe('rejected');
  });

  it.each([
    ['approve', 'approved', 'ship#1'],
    ['reject', 'rejected', 'plan#2'],
  ] as const)('with the default %s is %s when it expires', (byDefault, decision, path) => {
    const world = waitingForApproval({ expiry: { after_ms: 60_000, default: byDefault } });
    expect(world.dueAt).toBe('2026-11-25T18:01:00.000Z');
    expect(world.pass(59_999)).toEqual([]);
    world.pass(1);
    expect(world.last('ApprovalDecided')).toMatchObject({ decision, expired: true });
    expect(world.last('StepScheduled')).toMatchObject({ path });
  });

  it('is rejected when it expires without a default, and fails with the default `fail`', () => {
    const rejected = waitingForApproval({ expiry: { after_ms: 10 } });
    rejected.pass(10);
    expect(rejected.last('ApprovalDecided')).toMatchObject({ decision: 'rejected' });
    const failed = waitingForApproval({ expiry: { after_ms: 10, default: 'fail' } });
    failed.pass(10);
    expect(failed.last('ApprovalDecided')).toMatchObject({ decision: 'expired' });
    expect(failed.run).toMatchObject({
      status: 'failed',
      reason: 'step "approve" failed: nobody decided in time',
    });
  });

  it('works in a branch while other attempts run', () => {
    const world = RunWorld.start({
      steps: [
        {
          id: 'both',
          type: 'parallel',
          steps: [
            { id: 'left', type: 'approval', on_reject: 'redo' },
            { id: 'redo', type: 'agent', agent: 'a' },
            { id: 'right', type: 'approval' },
            { id: 'work', type: 'agent', agent: 'b' },
          ],
        },
      ],
    });
    world.claim('work');
    world.reject('left', 'once more');
    expect(world.envelope('redo')).toMatchObject({ feedback: 'once more' });
    world.approve('right');
    world.finish('redo');
    world.complete('work');
    expect(world.run).toMatchObject({ status: 'completed', asking: 0 });
  });
});
