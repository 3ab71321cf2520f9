import { RunWorld } from '#testing';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

describe('passing context between steps', () => {
  it('1. injects the results of all earlier steps', () => {
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

  it('3. transforms values of the context', () => {
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

  it('4. gives all branches the same context, and the next step the results of all branches', () => {
    const steps = ['unit', 'integration', 'e2e'].map((id) => agent(id));
    const world = RunWorld.start({
      steps: [
        agent('code', { next: 'tests' }),
        { id: 'tests', type: 'parallel', steps, next: 'report' },
        agent('report'),
      ],
    });
    world.finish('code', 1);
    const contexts = new Set<string>();
    for (const id of ['e2e', 'unit', 'integration']) {
      contexts.add(JSON.stringify(world.envelope(id).context));
      world.finish(id, { passed: id });
    }
    expect([...contexts]).toEqual(['{"code":1}']);
    expect(Object.keys(world.envelope('report').context ?? {})).toEqual([
      'code',
      'tests',
      'unit',
      'integration',
      'e2e',
    ]);
  });

  it('5. accumulates results over the rounds of a loop, and reads the newest one', () => {
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

describe('the envelope of a worker', () => {
  it('has its position in the run, its parameters and its effect key', () => {
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

  it('treats names of object properties as data', () => {
    const world = RunWorld.start({ steps: [agent('a', { next: 'b' }), agent('b')] });
    world.finish('a', JSON.parse('{"__proto__":{"isAdmin":true}}'));
    const { context } = world.envelope('b');
    expect(JSON.stringify(context)).toBe('{"a":{"__proto__":{"isAdmin":true}}}');
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  });
});
