import { RunWorld } from '#testing';

import { keysOf } from './interpretation.js';

const rounds = {
  max_iterations: 50_000,
  max_duration_ms: 1_000_000_000,
  steps: [
    { id: 'code', type: 'agent', agent: 'coder', next: 'tests' },
    {
      ...{ id: 'tests', type: 'parallel', next: 'good' },
      steps: [
        { id: 'unit', type: 'agent', agent: 'a' },
        { id: 'e2e', type: 'agent', agent: 'b' },
      ],
    },
    { id: 'good', type: 'condition', condition: 'context.unit.n < 0', else: 'code' },
  ],
};

describe('the state of a run', () => {
  it('is as large after hundreds of rounds as after a few, and so is what a step costs', () => {
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
    // Counters and visits have more digits; nothing else has grown.
    expect(many.bytes).toBeLessThan(few.bytes * 1.1);
  });

  it('is loaded by keys that the definition alone determines', () => {
    const world = RunWorld.start(rounds);
    const report = { stepId: 'code', visit: 1, attempt: 1, tokenHash: '', worker: 'coder' };
    const keys = keysOf(world.workflow, { ...report, type: 'complete', output: 1 });
    expect(keys.map(({ kind, key }) => `${kind} ${key}`.trim()).toSorted()).toEqual([
      ...['run', 'run-frozen code', 'run-frozen unit', 'run-input'],
      ...['run-step code', 'run-step e2e', 'run-step good', 'run-step tests', 'run-step unit'],
      ...['step code', 'step-output code', 'step-output unit'],
    ]);
    expect(keysOf(world.workflow, { type: 'pause', by: 'ada' })).toHaveLength(6);
  });
});
