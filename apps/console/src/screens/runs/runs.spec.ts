import { type Definition, captionOf, exitsOf } from './definition.js';
import { layOut } from './graph-layout.js';
import { graphOf } from './run-graph.js';
import { type ActiveVisit, type Run, controlsOf } from './run.js';
import { stateOfStep } from './step-state.js';

const feature: Definition = {
  id: 'feature',
  steps: [
    { id: 'plan', type: 'agent', agent: 'planner', next: 'approve' },
    {
      id: 'approve',
      type: 'approval',
      on_approve: 'tests',
      on_reject: { to: 'plan', max_visits: 3, on_limit: 'tests' },
    },
    {
      id: 'tests',
      type: 'parallel',
      steps: [
        { id: 'unit', type: 'agent', agent: 'unit', next: 'report' },
        { id: 'report', type: 'agent', agent: 'reporter' },
        { id: 'browser', type: 'agent', agent: 'browser', optional: true },
      ],
      next: 'check',
    },
    { id: 'check', type: 'condition', condition: 'context.tests.success', else: 'plan' },
  ],
};

describe('the graph of a definition', () => {
  it('has an edge per pair of steps, with the labels of all routes between them', () => {
    const { edges } = graphOf(feature);
    const texts = edges.map(({ from, to, label }) => `${from} > ${to}: ${label}`);
    expect(texts).toEqual([
      'start > step plan: ',
      'step plan > step approve: ',
      'step approve > step tests: approve / reject limit',
      'step approve > step plan: reject, at most 3',
      'step tests > step unit: ',
      'step tests > step browser: ',
      'step unit > step report: ',
      'step report > join tests: ',
      'step browser > join tests: ',
      'join tests > step check: ',
      'step check > end: then',
      'step check > step plan: else',
    ]);
  });

  it('marks routes that are only taken after failures and skips', () => {
    const { edges } = graphOf({
      id: 'a',
      steps: [
        { id: 'one', type: 'agent', on_error: 'repair', when: 'input', next: 'two' },
        { id: 'two', type: 'agent' },
        { id: 'repair', type: 'agent', next: 'two' },
      ],
    });
    expect(edges.filter(({ isDashed }) => isDashed)).toEqual([
      { from: 'step one', to: 'step repair', label: 'error', isDashed: true },
    ]);
  });

  it('begins a branch at every step without a route to it in a parallel workflow', () => {
    const { edges } = graphOf({
      id: 'nightly',
      parallel: true,
      steps: [
        { id: 'lint', type: 'agent' },
        { id: 'build', type: 'agent', next: 'deploy' },
        { id: 'deploy', type: 'agent' },
      ],
    });
    const begun = edges.filter(({ from }) => from === 'start').map(({ to }) => to);
    expect(begun).toEqual(['step lint', 'step build']);
  });

  it('is laid out with all nodes at different places within its size', () => {
    const { nodes, edges, width, height } = layOut(graphOf(feature));
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
    for (const node of nodes) {
      expect(node.x + node.width / 2).toBeLessThanOrEqual(width);
      expect(node.y + node.height / 2).toBeLessThanOrEqual(height);
    }
    for (const { path } of edges) expect(path).toMatch(/^M -?\d+ -?\d+( Q( -?\d+){4})+$/);
  });
});

describe('a step', () => {
  it('that is skipped after an error continues at its next step', () => {
    expect(exitsOf({ id: 'a', type: 'agent', on_error: 'skip', next: 'b' })).toEqual([
      { label: '', route: 'b', isRegular: true },
      { label: 'error', route: 'b', isRegular: false },
    ]);
  });

  it('is described by its agent, message or condition', () => {
    expect(captionOf({ id: 'a', type: 'agent', agent: 'ada' })).toBe('ada');
    expect(captionOf({ id: 'a', type: 'transform' })).toBe('transform');
  });
});

const visit: ActiveVisit = {
  stepId: 'plan',
  path: 'plan#2',
  visit: 2,
  attempt: 1,
  status: 'scheduled',
  agent: 'planner',
  worker: null,
  dueAt: null,
  deadline: null,
  approval: null,
};
const ended = { stepId: 'plan', path: 'plan#1', visit: 1, attempts: 3, error: 'late' } as const;

describe('the state of a step', () => {
  it.each<[Partial<ActiveVisit>, string, string]>([
    [{}, 'waiting', 'waits for planner'],
    [{ status: 'running', worker: 'key:1' }, 'running', 'running by key:1'],
    [{ status: 'asking', agent: null }, 'asking', 'waits for a person'],
    [{ status: 'doubt' }, 'asking', 'in doubt, waits for a person'],
    [{ status: 'open', agent: null }, 'running', 'branches run'],
    [{ status: 'scheduled', agent: null }, 'running', 'running'],
  ])('with the active visit %j is %s', (changes, style, text) => {
    const run = { active: [{ ...visit, ...changes }], results: [{ ...ended, outcome: 'failed' }] };
    expect(stateOfStep('plan', run)).toEqual({ style, text, visit: 2, attempts: 1, error: null });
  });

  it.each([
    ['completed', 'completed'],
    ['approved', 'completed'],
    ['failed', 'failed'],
    ['rejected', 'failed'],
    ['skipped', 'skipped'],
  ])('with the outcome %s is %s', (outcome, style) => {
    const run = { active: [], results: [{ ...ended, outcome }] };
    expect(stateOfStep('plan', run)).toMatchObject({ style, attempts: 3, error: 'late' });
    expect(stateOfStep('other', run)).toMatchObject({ style: 'idle', visit: 0 });
  });
});

describe('the controls of a run', () => {
  it.each<[Partial<Run>, readonly string[]]>([
    [{ status: 'running', epoch: 'e' }, ['pause', 'cancel']],
    [{ status: 'running', epoch: null }, ['resume', 'cancel']],
    [{ status: 'paused' }, ['resume', 'cancel']],
    [{ status: 'cancelling' }, []],
    [{ status: 'completed' }, []],
  ])('in the state %j are %j', (changes, controls) => {
    expect(controlsOf({ ...run, ...changes })).toEqual(controls);
  });
});

const run: Run = {
  runId: 'r',
  definition: { definitionId: 'feature', version: 1, hash: 'h' },
  status: 'running',
  reason: null,
  startedAt: '',
  startedBy: null,
  endedAt: null,
  metadata: { iterationCount: 0, errorCount: 0 },
  active: [],
  results: [],
};
