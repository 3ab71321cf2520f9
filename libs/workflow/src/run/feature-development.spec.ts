import { RunWorld } from '#testing';

const featureDevelopment = {
  id: 'feature-development',
  steps: [
    { id: 'plan', type: 'agent', agent: 'planner', next: 'approve-plan' },
    {
      id: 'approve-plan',
      type: 'approval',
      message: 'Approve implementation plan?',
      on_approve: 'code',
      on_reject: 'plan',
    },
    { id: 'code', type: 'agent', agent: 'coder', input: 'plan', next: 'parallel-tests' },
    {
      id: 'parallel-tests',
      type: 'parallel',
      next: 'check-tests',
      steps: [
        { id: 'unit', type: 'agent', agent: 'test-unit' },
        { id: 'integration', type: 'agent', agent: 'test-integration' },
      ],
    },
    {
      id: 'check-tests',
      type: 'condition',
      then: 'review',
      else: 'code',
      condition: 'context.parallel-tests.success === true',
    },
    { id: 'review', type: 'agent', agent: 'reviewer', input: 'code' },
  ],
};

describe('the feature-development workflow of the original specification', () => {
  it('runs through a rejected plan, failing tests and a review', () => {
    const world = RunWorld.start(featureDevelopment, 'Add dark mode toggle');
    expect(world.envelope('plan')).toMatchObject({ input: 'Add dark mode toggle', context: {} });
    world.finish('plan', { files: ['theme.ts'] });
    world.reject('approve-plan', 'too broad');
    expect(world.envelope('plan')).toMatchObject({
      step: { id: 'plan', path: 'plan#2', visit: 2, attempt: 1 },
      feedback: 'too broad',
      context: { plan: { files: ['theme.ts'] }, 'approve-plan': { approved: false } },
    });
    world.finish('plan', { files: ['toggle.ts'] });
    world.approve('approve-plan');
    expect(world.envelope('code')).toMatchObject({
      references: { plan: { files: ['toggle.ts'] } },
    });
    world.finish('code', { filesCreated: ['toggle.ts'] });
    const before = world.envelope('unit').context;
    world.finish('integration', { passed: 5, failed: 0 });
    expect(world.envelope('unit').context).toEqual(before);
    world.fail('unit', 'two tests fail');
    expect(world.envelope('code')).toMatchObject({
      step: { path: 'code#2' },
      context: {
        'parallel-tests': {
          success: false,
          data: [
            { stepId: 'unit', status: 'rejected', result: null, error: 'two tests fail' },
            { stepId: 'integration', status: 'fulfilled', result: { passed: 5, failed: 0 } },
          ],
        },
      },
    });
    world.finish('code', { filesCreated: ['toggle.ts', 'theme.ts'] });
    world.finish('unit', { passed: 15, failed: 0 });
    world.finish('integration', { passed: 5, failed: 0 });
    expect(world.envelope('review')).toMatchObject({
      references: { code: { filesCreated: ['toggle.ts', 'theme.ts'] } },
      context: { 'parallel-tests': { success: true } },
    });
    world.finish('review', { approved: true });
    expect(world.run).toMatchObject({ status: 'completed', errors: 1, active: [] });
    expect(world.last('RunCompleted')).toMatchObject({ outputOf: { stepId: 'review' } });
  });
});
