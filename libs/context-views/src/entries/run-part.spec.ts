import { RunWorld } from '#testing';

import { runPart } from './run-part.js';

const definition = {
  steps: [
    {
      id: 'both',
      type: 'parallel',
      next: 'ship',
      steps: [
        { id: 'code', type: 'agent', agent: 'coder' },
        { id: 'test', type: 'agent', agent: 'tester' },
        { id: 'approve', type: 'approval' },
      ],
    },
    { id: 'ship', type: 'agent', agent: 'shipper' },
  ],
};

describe('the run in a view', () => {
  it('shows the steps that have not ended, and what they wait for', () => {
    const world = RunWorld.start(definition);
    world.claim('code');
    const [part] = runPart([...world.state.values()]);
    expect(part).toMatchObject({ section: 'work', pinned: true });
    expect(part?.whole).toBe(
      '- run of `sample`: running; `both#1` is open; `code#1` is carried out by `coder`; `test#1` waits for `tester`; `approve#1` waits for a person\n',
    );
  });

  it('is absent after it has ended, and in a context without a run', () => {
    const world = RunWorld.start(definition);
    world.execute({ type: 'cancel', graceMs: 0, by: 'ada' });
    expect(runPart([...world.state.values()])).toEqual([]);
    expect(runPart([])).toEqual([]);
  });
});
