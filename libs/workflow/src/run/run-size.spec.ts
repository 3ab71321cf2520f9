import { maxAppendBytes, utf8Length } from '#event-sourcing';

import { RunWorld } from '#testing';

import { keysOf } from './interpretation.js';

const rounds = {
  max_iterations: 50_000,
  max_duration_ms: 1_000_000_000,
  steps: [
    { id: 'code', type: 'agent', agent: 'coder', next: 'tests' },
    {
      id: 'tests',
      type: 'parallel',
      next: 'good',
      steps: [
        { id: 'unit', type: 'agent', agent: 'a' },
        { id: 'e2e', type: 'agent', agent: 'b' },
      ],
    },
    { id: 'good', type: 'condition', condition: 'context.unit.n < 0', else: 'code' },
  ],
};

describe('the state of a run', () => {
  it('has a constant size and a constant number of events per step over hundreds of rounds', () => {
    const world = RunWorld.start(rounds);
    const figures = (count: number) => {
      for (let round = 0; round < count; round++)
        for (const stepId of ['code', 'unit', 'e2e']) world.finish(stepId, { n: 1 });
      const claim = world.claim('code').length;
      const complete = world.complete('code', { n: 1 }).length;
      for (const stepId of ['unit', 'e2e']) world.finish(stepId, { n: 1 });
      const items = [...world.state.values()].filter(({ kind }) => kind.startsWith('run'));
      return { claim, complete, items: items.length, bytes: JSON.stringify(items).length };
    };
    const few = figures(30);
    const many = figures(600);
    expect(many).toEqual({ ...few, bytes: expect.any(Number) });
    // Only counters and visits have more digits.
    expect(many.bytes).toBeLessThan(few.bytes * 1.1);
  });

  it('is loaded by keys that only the definition determines', () => {
    const world = RunWorld.start(rounds);
    const report = {
      stepId: 'code',
      visit: 1,
      attempt: 1,
      tokenHash: '',
      worker: { principal: 'coder' },
    };
    const { lookup } = world.state;
    const keys = keysOf(world.workflow, { ...report, type: 'complete', output: 1 }, lookup);
    expect(keys.map(({ kind, key }) => `${kind} ${key}`.trim()).toSorted()).toEqual([
      'run',
      'run-frozen unit',
      'run-input',
      'run-step code',
      'run-step e2e',
      'run-step good',
      'run-step tests',
      'run-step unit',
      'step code',
      'step-output unit',
    ]);
    expect(keysOf(world.workflow, { type: 'pause', by: 'ada' }, lookup)).toHaveLength(6);
  });
});

describe('one append of a run', () => {
  const sizeOf = (events: readonly object[]) => utf8Length(JSON.stringify(events));

  it('is limited in size, and the next one continues', () => {
    const copies = Array.from({ length: 25 }, (_, at) => ({
      id: `copy-${at}`,
      type: 'transform',
      transform: 'context.code',
      ...(at < 24 && { next: `copy-${at + 1}` }),
    }));
    const world = RunWorld.start({
      steps: [{ id: 'code', type: 'agent', agent: 'coder', next: 'copy-0' }, ...copies],
    });
    world.claim('code');
    const sizes = [sizeOf(world.complete('code', '\u4e16'.repeat(20_000)))];
    while (world.run.status === 'running') sizes.push(sizeOf(world.pass(0)));
    expect(world.run.status).toBe('completed');
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(maxAppendBytes * 0.75);
  });

  it('is limited in size if many branches continue at the same time', () => {
    const branches = Array.from({ length: 100 }, (_, at) => ({
      id: `copy-${at}`,
      type: 'transform',
      transform: 'input',
    }));
    const steps = [{ id: 'all', type: 'parallel', steps: branches }];
    const world = RunWorld.start({ max_iterations: 1_000, steps }, 'x'.repeat(60_000));
    const sizes: number[] = [];
    while (world.run.status === 'running') sizes.push(sizeOf(world.pass(0)));
    expect(world.run.status).toBe('completed');
    expect(Math.min(...sizes)).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(maxAppendBytes * 0.75);
  });

  it('fits the largest output and the beginnings of the maximum number of branches', () => {
    const branches = Array.from({ length: 600 }, (_, at) => ({
      id: `branch-${at}`,
      type: 'agent',
      agent: 'worker',
    }));
    const world = RunWorld.start({
      max_iterations: 2_000,
      steps: [
        { id: 'code', type: 'agent', agent: 'coder', next: 'all' },
        { id: 'all', type: 'parallel', steps: branches },
      ],
    });
    world.claim('code');
    const output = 'x'.repeat(512 * 1_024 - 2);
    expect(() => world.complete('code', `${output}x`)).toThrow(/more than 512 KiB/);
    const events = world.complete('code', output);
    expect(sizeOf(events) + 500 * events.length).toBeLessThan(maxAppendBytes);
    expect(world.stepsWith('scheduled')).toHaveLength(256);
    for (const { id } of branches) world.finish(id);
    expect(world.run.status).toBe('completed');
  });
});
