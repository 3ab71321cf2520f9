import { RunWorld } from '#testing';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

describe('the five ways in which steps pass context', () => {
  it('1. injects the results of all steps before', () => {
    const world = RunWorld.start(
      {
        steps: [agent('plan', { next: 'code' }), agent('code', { next: 'test' }), agent('test')],
      },
      'Build a dark mode toggle',
    );
    expect(world.envelope('plan')).toMatchObject({
      input: 'Build a dark mode toggle',
      context: {},
    });
    world.finish('plan', { files: ['a.ts'] });
    expect(world.envelope('code').context).toEqual({ plan: { files: ['a.ts'] } });
    world.finish('code', { filesCreated: ['a.ts'] });
    expect(world.envelope('test').context).toEqual({
      plan: { files: ['a.ts'] },
      code: { filesCreated: ['a.ts'] },
    });
  });

  it('2. passes the values that the input names: steps, aliases and members of the initial context', () => {
    const world = RunWorld.start({
      initial_context: { style: 'terse' },
      steps: [
        agent('plan', { output: 'blueprint', next: 'code' }),
        agent('code', { input: ['plan', 'blueprint', 'style'] }),
      ],
    });
    world.finish('plan', { files: [] });
    expect(world.envelope('code')).toMatchObject({
      references: { plan: { files: [] }, blueprint: { files: [] }, style: 'terse' },
      context: { plan: { files: [] }, style: 'terse' },
    });
  });

  it('3. transforms what is there', () => {
    const world = RunWorld.start({
      steps: [
        agent('plan', { next: 'extract' }),
        { id: 'extract', type: 'transform', transform: 'context.plan.files', next: 'code' },
        agent('code', { input: 'extract' }),
      ],
    });
    world.finish('plan', { files: ['a.ts'] });
    expect(world.envelope('code').references).toEqual({ extract: ['a.ts'] });
  });

  it('4. shows the same to all branches, and all of them to the next step', () => {
    const steps = ['unit', 'integration', 'e2e'].map((id) => agent(id));
    const world = RunWorld.start({
      steps: [
        agent('code', { next: 'tests' }),
        { id: 'tests', type: 'parallel', steps, next: 'report' },
        agent('report'),
      ],
    });
    world.finish('code', 1);
    const shown = new Set<string>();
    for (const id of ['e2e', 'unit', 'integration']) {
      shown.add(JSON.stringify(world.envelope(id).context));
      world.finish(id, { passed: id });
    }
    expect([...shown]).toEqual(['{"code":1}']);
    expect(Object.keys(world.envelope('report').context ?? {})).toEqual([
      'code',
      'tests',
      'unit',
      'integration',
      'e2e',
    ]);
  });

  it('5. accumulates, also over the rounds of a loop, of which the newest result is read', () => {
    const world = RunWorld.start({
      steps: [
        agent('research', { next: 'enough' }),
        {
          id: 'enough',
          type: 'condition',
          condition: 'step.visit > 2',
          else: 'research',
          then: 'write',
        },
        agent('write'),
      ],
    });
    for (const round of [1, 2, 3]) world.finish('research', { round });
    expect(world.envelope('write').context).toEqual({
      research: { round: 3 },
      enough: { result: true },
    });
    const rounds = world.events.flatMap((event) =>
      event.type === 'StepOutputAdded' ? [event.data.output] : [],
    );
    expect(rounds).toEqual([{ round: 1 }, { round: 2 }, { round: 3 }]);
  });
});

describe('what a worker is given', () => {
  it('has its place in the run, its parameters and the key of its effect', () => {
    const world = RunWorld.start({
      steps: [agent('a', { name: 'A', parameters: { model: 'm' } })],
    });
    expect(world.envelope('a')).toEqual({
      contextId: 'c1',
      runId: 'r1',
      input: null,
      references: {},
      context: {},
      step: {
        id: 'a',
        path: 'a#1',
        name: 'A',
        parameters: { model: 'm' },
        visit: 1,
        attempt: 1,
      },
      failure: null,
      feedback: null,
      receipt: null,
      recovers: null,
      effectKey: 'ab'.repeat(32),
    });
  });

  it('are names of objects as data, and nothing that all objects have', () => {
    const world = RunWorld.start({ steps: [agent('a', { next: 'b' }), agent('b')] });
    world.finish('a', JSON.parse('{"__proto__":{"isAdmin":true}}'));
    const { context } = world.envelope('b');
    expect(JSON.stringify(context)).toBe('{"a":{"__proto__":{"isAdmin":true}}}');
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  });
});
