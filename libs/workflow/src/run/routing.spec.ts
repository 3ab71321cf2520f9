import { RunWorld } from '#testing';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

describe('routing', () => {
  it('ends the run after a step without `next`', () => {
    const world = RunWorld.start({ steps: [agent('a', { next: 'b' }), agent('b')] });
    world.finish('a', 1);
    world.finish('b', 2);
    expect(world.last('StepRouted')).toMatchObject({ path: 'b#1', outcome: 'completed', to: null });
    expect(world.run.status).toBe('completed');
    const { version } = world.events.findLast(({ type }) => type === 'StepOutputAdded') ?? {};
    expect(world.last('RunCompleted')).toMatchObject({ outputOf: { stepId: 'b', version } });
  });

  it('stores the output, the route and the next step in one append', () => {
    const world = RunWorld.start({ steps: [agent('a', { next: 'b' }), agent('b')] });
    world.claim('a');
    expect(world.complete('a', 1).map(({ type }) => type)).toEqual([
      'StepOutputAdded',
      'StepRouted',
      'StepScheduled',
    ]);
  });

  it.each([
    [{ passed: 12, failed: 0 }, 'deploy#1'],
    [{ passed: 12, failed: 0, success: false }, 'notify#1'],
  ])('routes by the outcome of a step, which the output %j may override', (output, path) => {
    const world = RunWorld.start({
      steps: [
        agent('test', { next: 'check' }),
        {
          id: 'check',
          type: 'condition',
          then: 'deploy',
          else: 'notify',
          condition: 'context.test.success === true',
        },
        agent('deploy'),
        agent('notify'),
      ],
    });
    world.finish('test', output);
    expect(world.last('StepScheduled')).toMatchObject({ path });
  });

  it('never treats a condition that cannot be evaluated as false', () => {
    const steps = (more: object) => [
      agent('test', { next: 'check' }),
      {
        id: 'check',
        type: 'condition',
        condition: 'context.test.n > 5',
        then: 'yes',
        else: 'no',
        ...more,
      },
      agent('yes'),
      agent('no'),
      agent('handle'),
    ];
    const failed = RunWorld.start({ steps: steps({}) });
    failed.finish('test', { n: 'many' });
    expect(failed.run).toMatchObject({ status: 'failed', failedStep: { stepId: 'check' } });
    const handled = RunWorld.start({ steps: steps({ on_error: 'handle' }) });
    handled.finish('test', { n: 'many' });
    expect(handled.envelope('handle').failure).toMatchObject({ stepId: 'check' });
  });

  it('passes the failure to its error handler', () => {
    const world = RunWorld.start({
      steps: [agent('code', { max_retries: 2, on_error: 'fix' }), agent('fix', { next: 'code' })],
    });
    world.fail('code', 'first');
    world.fail('code', 'second', { code: 'compile' });
    expect(world.envelope('fix').failure).toEqual({
      stepId: 'code',
      path: 'code#1',
      message: 'second',
      code: 'compile',
      attempts: 2,
    });
    expect(world.run.errors).toBe(0);
    world.finish('fix');
    expect(world.envelope('code')).toMatchObject({ failure: null, step: { visit: 2 } });
  });

  it.each([{ on_error: 'skip' }, { optional: true }])(
    'continues after a failed step with %j',
    (more) => {
      const world = RunWorld.start({ steps: [agent('a', { next: 'b', ...more }), agent('b')] });
      world.fail('a', 'no');
      expect(world.envelope('b').context).toEqual({});
      world.finish('b');
      expect(world.run).toMatchObject({ status: 'completed', errors: 0 });
      expect(world.step('a').results.at(-1)).toMatchObject({ outcome: 'failed', error: 'no' });
    },
  );

  it('skips a step whose "when" is false when the run reaches it', () => {
    const world = RunWorld.start(
      {
        steps: [
          agent('a', { next: 'b' }),
          agent('b', { when: 'input.full || context.a.more', next: 'c' }),
          agent('c'),
        ],
      },
      { full: false },
    );
    world.finish('a', { more: false });
    expect(world.step('b').results.at(-1)).toMatchObject({ outcome: 'skipped', to: 'c' });
    expect(world.stepsWith('scheduled')).toEqual(['c']);
  });

  it('fails after an unhandled failure, and names the step, the reason and the number of attempts', () => {
    const world = RunWorld.start({
      steps: [agent('a', { max_retries: 3, next: 'b' }), agent('b')],
    });
    for (let attempt = 0; attempt < 3; attempt++) world.fail('a', 'the model is down');
    expect(world.last('RunFailed')).toMatchObject({
      stepId: 'a',
      attempts: 3,
      reason: 'step "a" failed: the model is down',
    });
  });

  it('fails with a reason of the maximum length', () => {
    const world = RunWorld.start({ steps: [agent('a')] });
    world.fail('a', 'x'.repeat(10_000));
    expect(world.run.reason).toHaveLength(10_000);
  });

  it('stores values of transforms under their id and their alias', () => {
    const world = RunWorld.start({
      steps: [
        agent('plan', { next: 'extract' }),
        {
          id: 'extract',
          type: 'transform',
          transform: 'context.plan.files',
          output: 'files',
          next: 'code',
        },
        agent('code', { input: 'files' }),
      ],
    });
    world.finish('plan', { files: ['a.ts'], approach: 'x' });
    expect(world.envelope('code')).toMatchObject({
      references: { files: ['a.ts'] },
      context: { extract: ['a.ts'], files: ['a.ts'] },
    });
    const { run } = world.last('StepOutputDerived');
    expect(run).toMatchObject({ path: 'extract#1', attempt: 1 });
  });

  it('treats a transform without a value as a failure', () => {
    const transform = { id: 'extract', type: 'transform', transform: 'context.plan.files[0].name' };
    const world = RunWorld.start({ steps: [agent('plan', { next: 'extract' }), transform] });
    world.finish('plan', { files: [] });
    expect(world.run.reason).toBe('step "extract" failed: its transform found no value');
  });

  it('reads derived values; within branches, those from before their beginning', () => {
    const branch = {
      id: 'b',
      type: 'condition',
      condition: 'derived["work.score"] === 9',
      then: 'yes',
      else: 'no',
    };
    const world = RunWorld.start({
      steps: [
        agent('first', { next: 'check' }),
        { id: 'check', type: 'condition', condition: 'derived["work.score"] === 7', then: 'all' },
        {
          id: 'all',
          type: 'parallel',
          steps: [agent('a', { next: 'b' }), branch, agent('yes'), agent('no')],
        },
      ],
    });
    world.derive('work.score', 7);
    world.finish('first');
    expect(world.stepsWith('scheduled')).toEqual(['a']);
    world.derive('work.score', 9);
    world.finish('a');
    expect(world.run).toMatchObject({ status: 'running', active: ['all', 'no'] });
  });

  it('evaluates the declared output at the end', () => {
    const world = RunWorld.start(
      { output: '{ of: input.task, got: context.a.n }', steps: [agent('a')] },
      { task: 'dark mode' },
    );
    world.finish('a', { n: 3 });
    expect(world.last('RunCompleted')).toMatchObject({ output: { of: 'dark mode', got: 3 } });
  });
});
