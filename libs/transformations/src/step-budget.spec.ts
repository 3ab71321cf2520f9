import { type JsonObject, type JsonValue } from '#event-sourcing';

import {
  StepBudget,
  StepsExceededError,
  type TransformationDefinition,
  compileTransformation,
  runTransformation,
  transformationLimits,
} from './index.js';

type Operation = TransformationDefinition['operation'];

const { steps } = transformationLimits;
const enrichment: Operation = {
  kind: 'enrich',
  each: 'users',
  eachAs: 'user',
  entries: 'stories',
  entryKey: 'of',
  entriesAs: 'stories',
};

function transformation(operation: Operation, names: readonly string[], destinations = 1) {
  return compileTransformation(
    { transformationId: 't', version: 1 },
    {
      trigger: { agent: 'a' },
      sources: Object.fromEntries(names.map((name) => [name, `context.${name}`])),
      operation,
      destinations: Array.from({ length: destinations }, (_, at) => `a.inputs.d${at}`),
    },
  );
}

function stepsOf(operation: Operation, sources: JsonObject, destinations = 1): number {
  const budget = new StepBudget();
  runTransformation(transformation(operation, Object.keys(sources), destinations), sources, budget);
  return budget.spent;
}

function list(length: number, entry: JsonValue = 0): JsonValue {
  return Array.from({ length }, () => entry);
}

describe('the steps of a transformation', () => {
  it.each<[string, number, Operation, (size: number) => JsonObject]>([
    // Two for each entry, which has a path of one name.
    ['entries', 2_000, enrichment, (size) => ({ users: [], stories: list(size) })],
    [
      'keys of entries',
      1_000,
      enrichment,
      (size) => ({ users: [], stories: [{ of: list(size) }] }),
    ],
    // One for each element, three for the element derived from it, and one for every sixteen of its 24 characters.
    ['elements', 2_750, enrichment, (size) => ({ users: list(size / 2), stories: [] })],
    [
      'elements looked through',
      1_000,
      { kind: 'score', expression: 'sum(values)' },
      (size) => ({ values: list(size) }),
    ],
    // One for each value, and one for every sixteen characters of "0,".
    ['values', 1_125, { kind: 'propagate' }, (size) => ({ values: list(size) })],
  ])('grow in proportion to %s', (_, more, operation, sourcesOf) => {
    const [first = 0, second, third] = [1_000, 2_000, 3_000].map((size) =>
      stepsOf(operation, sourcesOf(size)),
    );
    expect([second, third]).toEqual([first + more, first + 2 * more]);
  });

  it('count the derived value once per destination', () => {
    const sources = { text: 'x'.repeat(16_000 - 2) };
    expect(stepsOf({ kind: 'propagate' }, sources)).toBe(1 + 1_000);
    expect(stepsOf({ kind: 'propagate' }, sources, 8)).toBe(1 + 8_000);
  });

  it('may reach the limit, and not exceed it', () => {
    const run = (entries: number) => stepsOf(enrichment, { users: [], stories: list(entries) });
    // One for the transformation and one for the characters of "[]".
    const most = (steps - 2) / 2;
    expect(run(most)).toBe(steps);
    expect(() => run(most + 1)).toThrow(StepsExceededError);
  });

  it('that are known in advance to exceed the budget leave it to the other transformations', () => {
    const budget = new StepBudget();
    budget.spend(steps - 10);
    expect(() => budget.reserve(11)).toThrow(StepsExceededError);
    expect(() => budget.reserve(10)).not.toThrow();
    expect(() => budget.spend(1)).toThrow(StepsExceededError);
  });

  it('never exceed the limit, however an expression fails', () => {
    const sources = {
      members: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [n, n])),
    };
    const failing = transformation({ kind: 'score', expression: 'len(members)' }, ['members']);
    const budget = new StepBudget();
    const run = () => runTransformation(failing, sources, budget).problem;
    while (budget.spent + 60_010 <= steps)
      expect(run()).toBe('at character 1: it takes more than 50000 steps');
    expect(run).toThrow(StepsExceededError);
  });
});
