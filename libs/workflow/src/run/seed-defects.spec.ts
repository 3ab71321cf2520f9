import { readFileSync } from 'node:fs';

import { RunWorld } from '#testing';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

/**
 * The tests for defects of the original sample code that concern execution: the file in this folder, and the title.
 */
const tests: Readonly<Record<number, readonly [file: string, title: string]>> = {
  1: ['seed-defects.spec.ts', '1: compares by all six operators'],
  2: ['routing.spec.ts', 'never treats a condition that cannot be evaluated as false'],
  3: ['feature-development.spec.ts', 'runs through a rejected plan, failing tests and a review'],
  4: ['routing.spec.ts', 'routes by the outcome of a step, which the output %j may override'],
  5: [
    'parallel.spec.ts',
    'continues after all branches have ended, in any order, with the result of each',
  ],
  6: ['parallel.spec.ts', 'isolates nested branches from each other'],
  7: [
    'routing.spec.ts',
    'fails after an unhandled failure, and names the step, the reason and the number of attempts',
  ],
  11: ['approvals.spec.ts', 'ends the run as rejected if there is no route for a rejection'],
  16: ['routing.spec.ts', 'stores values of transforms under their id and their alias'],
  17: [
    'context-passing.spec.ts',
    '2. passes the values that the input names: steps, aliases and members of the initial context',
  ],
  18: ['context-passing.spec.ts', 'treats names of object properties as data'],
  19: ['routing.spec.ts', 'treats a transform without a value as a failure'],
  20: ['routing.spec.ts', 'passes the failure to its error handler'],
  21: ['context-passing.spec.ts', '1. injects the results of all earlier steps'],
  22: [
    'parallel.spec.ts',
    'continues after all branches have ended, in any order, with the result of each',
  ],
  23: ['parallel.spec.ts', 'supports branches of several steps with conditions and loops'],
  25: [
    'attempts.spec.ts',
    'is retried after a failure until the number of attempts is reached, including the first one',
  ],
  26: ['attempts.spec.ts', 'times out at its deadline, as a failure that can be retried'],
  27: ['guards.spec.ts', 'count the time of work, but not of people'],
  28: ['parallel.spec.ts', 'begins a branch at every step without a route to it'],
  29: ['guards.spec.ts', 'count unhandled failures only'],
  30: ['guards.spec.ts', 'are a hundred visits and ten failures by default'],
  31: ['guards.spec.ts', 'end a loop at the limit of %s'],
  32: [
    'control.spec.ts',
    'withdraws open approvals, starts no attempt, and lets running attempts end',
  ],
  33: ['routing.spec.ts', 'evaluates the declared output at the end'],
  34: ['attempts.spec.ts', 'is retried after a growing delay with jitter'],
  35: ['parallel.spec.ts', 'runs at most max_concurrency branches at once'],
  36: ['parallel.spec.ts', 'follows on_error if it is set and a branch failed'],
  37: [
    'parallel.spec.ts',
    'cancels the other branches with fail_fast, and accepts no more reports of them',
  ],
  38: ['routing.spec.ts', 'ends the run after a step without `next`'],
  39: [
    'approvals.spec.ts',
    'routes the run by the decision and passes its comment to the next visit',
  ],
  40: [
    'approvals.spec.ts',
    'is decided once: a repeated decision stores nothing, and any other is rejected',
  ],
  44: [
    'run.properties.spec.ts',
    'have the same result after any prefix of their history is folded again',
  ],
  45: [
    'run.properties.spec.ts',
    'never let a branch read results of other branches since their beginning',
  ],
  46: ['seed-defects.spec.ts', '46: takes all times from recorded events'],
  47: ['seed-defects.spec.ts', '47: knows the current step while it runs'],
  48: ['seed-defects.spec.ts', '48: records an attempt before it has any effect'],
  54: ['feature-development.spec.ts', 'runs through a rejected plan, failing tests and a review'],
  58: ['guards.spec.ts', 'end a loop at max_iterations visits'],
};

/** Why the other defects cannot occur in the execution of a run. */
const reasons: Readonly<Record<number, string>> = {
  8: 'a route to an absent step is refused when a definition is compiled; "skip" is a policy',
  9: 'a definition has at least one step',
  10: 'ids and aliases are unique in a definition, nested steps included',
  12: 'expressions are parsed as a whole when a definition is compiled',
  13: 'values are literals of the expression language, parsed with the rest',
  14: 'comparing values of different types is an error of the expression, so that defect 2 applies',
  15: 'the expression language has paths, indexes and boolean operators',
  24: 'no step is a workflow yet: sub-workflows are a later step type',
  41: 'prompts are rendered by the template engine of context-views, with nothing of the interpreter',
  42: 'as 41: rendering a prompt quotes results, and a report is refused if its output breaks the contract of the agent',
  43: 'the envelope takes a view in place of a context that is larger than the budget',
  49: 'parallelism is what a definition says',
  50: 'the interpreter loads no agents: attempts wait until workers claim them',
  51: 'there is one state, folded from events, and no copy to forget',
  52: 'there is one interpreter, with one shape of results',
  53: 'definitions reach the interpreter compiled',
  55: 'tests make runs by the events that happen in them',
  56: 'as 24',
  57: 'as 50: publishing warns of an agent that is not registered, and a run shows which agent it waits for',
  59: 'a figure, which the benchmark of workflows measures',
  60: 'a definition is sequential unless it says otherwise: the default is a rule of compilation',
};

describe('defects of the original sample code', () => {
  it('are covered, each by a test or a reason why it cannot occur', () => {
    const numbers = [...Object.keys(tests), ...Object.keys(reasons)].map(Number);
    const all = Array.from({ length: 60 }, (_, at) => at + 1);
    expect(numbers.toSorted((left, right) => left - right)).toEqual(all);
  });

  it.each(Object.entries(tests))('%s is covered by the test in the table', (_, [file, title]) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    const quoted = [`'${title}'`, `"${title}"`];
    expect(quoted.some((text) => source.includes(`(${text}`) || source.includes(`${text},`))).toBe(
      true,
    );
  });

  it.each([
    ['>=', 5, true],
    ['>=', 6, false],
    ['<=', 5, true],
    ['<=', 4, false],
    ['>', 4, true],
    ['<', 6, true],
    ['===', 5, true],
    ['!==', 5, false],
  ] as const)('1: compares by all six operators', (operator, limit, holds) => {
    const condition = `context.test.n ${operator} ${limit}`;
    const world = RunWorld.start({
      steps: [agent('test', { next: 'check' }), { id: 'check', type: 'condition', condition }],
    });
    world.finish('test', { n: 5 });
    expect(world.last('StepRouted')).toMatchObject({ path: 'check#1', holds });
  });

  it('46: takes all times from recorded events', () => {
    const world = RunWorld.start({ steps: [agent('a')] });
    world.time = 1_000;
    world.claim('a');
    world.time = 4_000;
    world.complete('a');
    expect(world.step('a').results).toMatchObject([
      { startedAt: '2026-11-25T18:00:01.000Z', endedAt: '2026-11-25T18:00:04.000Z' },
    ]);
  });

  it('47: knows the current step while it runs', () => {
    const world = RunWorld.start({ steps: [agent('a', { next: 'b' }), agent('b')] });
    expect(world.run).toMatchObject({ active: ['a'], previousSteps: [] });
    world.finish('a');
    expect(world.run).toMatchObject({ active: ['b'], previousSteps: ['a'] });
  });

  it('48: records an attempt before it has any effect', () => {
    const world = RunWorld.start({ steps: [agent('a')] });
    expect(world.step('a')).toMatchObject({ status: 'scheduled', effectKey: null });
    world.claim('a');
    expect(world.step('a')).toMatchObject({ status: 'running', effectKey: 'ab'.repeat(32) });
  });
});
