import { maxRunEvents } from './guards.js';
import { RunWorld } from '#testing';

const loop = {
  steps: [
    { id: 'code', type: 'agent', agent: 'coder', next: 'test' },
    { id: 'test', type: 'condition', condition: 'false', else: 'code' },
  ],
};

describe('guards of a run', () => {
  it('end a loop at max_iterations visits', () => {
    const world = RunWorld.start({ ...loop, max_iterations: 5 });
    world.finish('code');
    world.finish('code');
    expect(world.run.status).toBe('running');
    world.finish('code');
    expect(world.last('RunFailed')).toMatchObject({ guard: 'iterations' });
    expect(world.run.reason).toContain('exceeded max iterations: 5');
    expect(world.run.iterations).toBe(5);
  });

  it('are a hundred visits and ten failures by default', () => {
    const { workflow } = RunWorld.start(loop);
    expect(workflow).toMatchObject({ maxIterations: 100, maxDurationMs: 300_000, maxErrors: 10 });
  });

  it('end a run without workers over several appends', () => {
    const steps = [{ id: 'spin', type: 'condition', condition: 'false', else: 'spin' }];
    const world = RunWorld.start({ steps, max_iterations: 100 });
    expect(world.run).toMatchObject({ status: 'running', iterations: 33 });
    expect(world.dueAt).toBe(world.run.startedAt);
    world.pass(0);
    world.pass(0);
    world.pass(0);
    expect(world.run).toMatchObject({ status: 'failed', guard: 'iterations', iterations: 100 });
  });

  it('prevent claims of a step whose condition is not evaluated yet', () => {
    const chain = Array.from({ length: 32 }, (_, at) => ({
      id: `c${at}`,
      type: 'condition',
      condition: 'true',
      then: at < 31 ? `c${at + 1}` : 'last',
    }));
    const last = { id: 'last', type: 'agent', agent: 'a', when: 'input.wanted' };
    const world = RunWorld.start({ steps: [...chain, last] }, { wanted: false });
    expect(world.step('last')).toMatchObject({ status: 'scheduled', agent: null });
    world.pass(0);
    expect(world.run.status).toBe('completed');
    const wanted = RunWorld.start({ steps: [...chain, last] }, { wanted: true });
    wanted.pass(0);
    expect(wanted.step('last')).toMatchObject({ status: 'scheduled', agent: 'a', visit: 1 });
  });

  it('count the time of work, but not of people', () => {
    const world = RunWorld.start({
      max_duration_ms: 10_000,
      steps: [
        { id: 'plan', type: 'agent', agent: 'planner', next: 'approve' },
        { id: 'approve', type: 'approval', next: 'code' },
        { id: 'code', type: 'agent', agent: 'coder' },
      ],
    });
    world.time = 4_000;
    world.finish('plan');
    expect(world.dueAt).toBeNull();
    world.pass(3_600_000);
    world.approve('approve');
    expect(Date.parse(world.dueAt ?? '') - Date.parse(world.run.clockAt)).toBe(6_000);
    expect(world.pass(5_999)).toEqual([]);
    world.pass(1);
    expect(world.last('RunFailed')).toMatchObject({ guard: 'duration' });
    expect(world.run.reason).toContain('exceeded max duration: 10000 ms');
  });

  it('start no attempt after the maximum duration', () => {
    const world = RunWorld.start({ ...loop, max_duration_ms: 1_000 });
    world.time = 1_000;
    expect(world.claim('code').map(({ type }) => type)).toEqual(['StepRouted', 'RunFailed']);
  });

  it('count unhandled failures only', () => {
    const branch = { id: 'try', type: 'agent', agent: 'a' };
    const rounds = (more: object) =>
      RunWorld.start({
        max_errors: 2,
        steps: [
          { id: 'all', type: 'parallel', steps: [{ ...branch, ...more }], next: 'again' },
          { id: 'again', type: 'condition', condition: 'true', then: 'all' },
        ],
      });
    const unhandled = rounds({});
    unhandled.fail('try');
    unhandled.fail('try');
    expect(unhandled.run).toMatchObject({ status: 'failed', guard: 'errors', errors: 2 });
    for (const more of [{ on_error: 'skip' }, { optional: true }]) {
      const handled = rounds(more);
      for (let round = 0; round < 12; round++) handled.fail('try');
      expect(handled.run).toMatchObject({ status: 'running', errors: 0 });
    }
  });

  it.each([
    ['the step', { next: 'test' }, { max_visits: 2 }],
    ['the route back', { next: 'test' }, { else: { to: 'code', max_visits: 1 } }],
  ])('end a loop at the limit of %s', (name, code, more) => {
    const [first, second] = loop.steps;
    const isStep = name === 'the step';
    const steps = [
      { ...first, ...code, ...(isStep ? more : {}) },
      { ...second, ...(isStep ? {} : more) },
    ];
    const world = RunWorld.start({ steps });
    world.finish('code');
    world.finish('code');
    expect(world.run).toMatchObject({ status: 'failed', guard: 'visits' });
    expect(world.step('code').visit).toBe(2);
  });

  it('route to on_limit at a limit', () => {
    const world = RunWorld.start({
      steps: [
        { id: 'code', type: 'agent', agent: 'coder', next: 'test', max_visits: 1, on_limit: 'ask' },
        { id: 'test', type: 'condition', condition: 'false', else: 'code' },
        { id: 'ask', type: 'approval' },
      ],
    });
    world.finish('code');
    expect(world.stepsWith('asking')).toEqual(['ask']);
  });

  it('apply to the first steps of branches', () => {
    const world = RunWorld.start({
      steps: [
        {
          id: 'all',
          type: 'parallel',
          next: 'again',
          steps: [{ id: 'a', type: 'agent', agent: 'a', max_visits: 1 }],
        },
        { id: 'again', type: 'condition', condition: 'true', then: 'all' },
      ],
    });
    world.finish('a');
    expect(world.run).toMatchObject({ status: 'failed', guard: 'visits' });
  });

  it('end a run before it exceeds the limit of events', () => {
    const steps = [{ id: 'code', type: 'agent', agent: 'coder', next: 'code' }];
    const world = RunWorld.start({ steps, max_iterations: 50_000, max_duration_ms: 1e9 });
    // As if the run had been active for long, to avoid storing fifty thousand events here.
    world.replaceRun({ events: maxRunEvents - 80 });
    for (let round = 0; round < 5; round++) world.finish('code');
    expect(world.run).toMatchObject({ status: 'failed', guard: 'events' });
    expect(world.run.events).toBeLessThanOrEqual(maxRunEvents);
  });
});
