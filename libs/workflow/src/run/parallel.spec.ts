import { StaleAttemptError } from '#shared-context';

import { type SampleDefinition, RunWorld } from '#testing';

function branches(...ids: readonly string[]) {
  return ids.map((id) => ({ id, type: 'agent', agent: id }));
}

function parallel(more: object = {}, steps: readonly object[] = branches('a', 'b', 'c')) {
  return {
    steps: [
      { id: 'all', type: 'parallel', steps, next: 'report', ...more },
      { id: 'report', type: 'agent', agent: 'reporter' },
      { id: 'repair', type: 'agent', agent: 'repairer' },
    ],
  } satisfies SampleDefinition;
}

describe('a parallel step', () => {
  it('continues after all branches have ended, in any order, with the result of each', () => {
    const world = RunWorld.start(parallel());
    world.finish('c', 3);
    world.fail('a', 'no');
    expect(world.run.active).toEqual(['all', 'b']);
    world.finish('b', 2);
    expect(world.envelope('report').context).toEqual({
      all: {
        success: false,
        data: [
          { stepId: 'a', status: 'rejected', result: null, error: 'no' },
          { stepId: 'b', status: 'fulfilled', result: 2, error: null },
          { stepId: 'c', status: 'fulfilled', result: 3, error: null },
        ],
      },
      b: 2,
      c: 3,
    });
    world.finish('report');
    expect(world.run).toMatchObject({ status: 'completed', errors: 1 });
  });

  it('records times in ascending order even if commands of its branches read the clock in another order', () => {
    const world = RunWorld.start(parallel());
    const timeOfClaim = (stepId: string, time: number) => {
      world.time = time;
      const [event] = world.claim(stepId);
      return event?.type === 'StepAttemptStarted' ? Date.parse(event.data.at) : NaN;
    };
    const first = timeOfClaim('a', 200_100);
    expect(timeOfClaim('b', 200_090)).toBe(first);
    // If the clock was set back far, the recorded time follows it.
    expect(timeOfClaim('c', 80_100)).toBe(first - 120_000);
  });

  it('follows on_error if it is set and a branch failed', () => {
    const world = RunWorld.start(parallel({ on_error: 'repair' }));
    world.fail('a', 'no');
    world.finish('b');
    world.finish('c');
    expect(world.envelope('repair').failure).toMatchObject({ stepId: 'all', path: 'all#1' });
  });

  it('cancels the other branches with fail_fast, and accepts no more reports of them', () => {
    const world = RunWorld.start(parallel({ failure: 'fail_fast', on_error: 'repair' }));
    world.claim('b');
    world.fail('a', 'no');
    expect(world.run.active).toEqual(['repair']);
    expect(world.step('b').results.at(-1)).toMatchObject({ outcome: 'cancelled' });
    expect(() => world.complete('b')).toThrow(StaleAttemptError);
    expect(world.envelope('repair').context).toMatchObject({
      all: {
        success: false,
        data: [
          { stepId: 'a', status: 'rejected' },
          { stepId: 'b', status: 'skipped' },
          { stepId: 'c', status: 'skipped' },
        ],
      },
    });
  });

  it('succeeds with min_success branches', () => {
    const enough = RunWorld.start(parallel({ failure: { min_success: 2 } }));
    enough.fail('a');
    enough.finish('b');
    enough.finish('c');
    expect(enough.envelope('report').context).toMatchObject({ all: { success: true } });
    const few = RunWorld.start(parallel({ failure: { min_success: 2 } }));
    few.fail('a');
    few.fail('b');
    few.finish('c');
    expect(few.run).toMatchObject({ status: 'failed', failedStep: { stepId: 'all' } });
  });

  it('runs at most max_concurrency branches at once', () => {
    const world = RunWorld.start(parallel({ max_concurrency: 2 }));
    expect(world.run.active).toEqual(['all', 'a', 'b']);
    world.finish('b');
    expect(world.run.active).toEqual(['all', 'a', 'c']);
  });

  it('begins a hundred branches in one append', () => {
    const ids = Array.from({ length: 100 }, (_, at) => `b${at}`);
    const world = RunWorld.start({ ...parallel({}, branches(...ids)), max_iterations: 200 });
    expect(world.stepsWith('scheduled')).toEqual(ids);
    expect(ids.every((id) => world.step(id).agent === id)).toBe(true);
  });

  it('begins each branch once, even if several end in one append', () => {
    const steps = [1, 2, 3, 4, 5].map((n) => ({
      id: `t${n}`,
      type: 'transform',
      transform: 'step.id',
    }));
    const world = RunWorld.start(parallel({ max_concurrency: 2 }, steps));
    const paths = world.events.flatMap((event) =>
      event.type === 'StepScheduled' ? [event.data.path] : [],
    );
    expect(paths).toEqual(['all#1', 't1#1', 't2#1', 't3#1', 't4#1', 't5#1', 'report#1']);
  });

  it('supports branches of several steps with conditions and loops', () => {
    const steps = [
      { id: 'draft', type: 'agent', agent: 'writer', next: 'good' },
      { id: 'good', type: 'condition', condition: 'context.draft.good', else: 'draft' },
      ...branches('b'),
    ];
    const world = RunWorld.start(parallel({}, steps));
    world.finish('draft', { good: false });
    expect(world.step('draft')).toMatchObject({ visit: 2, status: 'scheduled' });
    world.finish('draft', { good: true });
    expect(world.run.active).toEqual(['all', 'b']);
    world.finish('b');
    expect(world.run.active).toEqual(['report']);
  });

  it('lets a branch read results from before its beginning, but not of other branches', () => {
    const loop = [
      { id: 'all', type: 'parallel', steps: branches('a', 'b'), next: 'again' },
      { id: 'again', type: 'condition', condition: 'step.visit < 2', then: 'all' },
    ];
    const world = RunWorld.start({ steps: loop, initial_context: { style: 'terse' } });
    world.finish('a', 'a1');
    expect(world.envelope('b').context).toEqual({ style: 'terse' });
    world.finish('b', 'b1');
    world.finish('a', 'a2');
    // "b" reads the result of "a" from the round before, not from this round.
    expect(world.envelope('b').context).toMatchObject({ a: 'a1', b: 'b1', all: { success: true } });
  });

  it('isolates nested branches from each other', () => {
    const inner = { id: 'inner', type: 'parallel', steps: branches('x', 'y'), next: 'z' };
    const steps = [inner, { id: 'z', type: 'agent', agent: 'z' }, ...branches('b')];
    const world = RunWorld.start(parallel({}, steps));
    world.finish('x', 1);
    expect(world.envelope('y').context).toEqual({});
    world.finish('y', 2);
    expect(world.envelope('z').context).toMatchObject({ x: 1, y: 2, inner: { success: true } });
    expect(world.envelope('b').context).toEqual({});
    world.finish('b', 3);
    world.finish('z', 4);
    expect(world.envelope('report').context).toMatchObject({ x: 1, y: 2, z: 4, b: 3 });
  });
});

describe('a definition that is parallel at the top', () => {
  const definition = {
    parallel: true,
    steps: [
      { id: 'a', type: 'agent', agent: 'a', next: 'a2' },
      { id: 'a2', type: 'agent', agent: 'a2' },
      ...branches('b'),
    ],
  };

  it('begins a branch at every step without a route to it', () => {
    const world = RunWorld.start(definition);
    expect(world.run.active).toEqual(['a', 'b']);
    world.finish('b', 'of b');
    world.finish('a', 'of a');
    expect(world.envelope('a2').context).toEqual({ a: 'of a' });
    world.finish('a2');
    expect(world.run.status).toBe('completed');
  });

  it('fails after a failed branch when the other branches have ended', () => {
    const world = RunWorld.start(definition);
    world.fail('b', 'no');
    expect(world.run.status).toBe('running');
    world.finish('a');
    world.finish('a2');
    expect(world.run).toMatchObject({ status: 'failed', failedStep: { stepId: 'b' } });
  });
});
