import { AppendTooLargeError, type JsonObject, type JsonValue } from '#event-sourcing';

import { type ContextCommand } from '../context.command.js';
import { NotExpressibleError } from '../context.errors.js';
import { differences, maxIssues } from './document.difference.js';

type Outcome = Readonly<{ steps: number; error?: unknown; commands: number }>;

/** Compares the documents, and counts the steps until the end or the error. */
function compare(current: JsonObject, sent: JsonObject): Outcome {
  const comparison = differences(current, sent, () => 'made');
  for (let steps = 0; ; steps++)
    try {
      const { done, value } = comparison.next();
      if (done) return { steps, commands: value.length };
    } catch (error) {
      return { steps, error, commands: 0 };
    }
}

function commandsOf(current: JsonObject, sent: JsonObject): readonly ContextCommand[] {
  const comparison = differences(current, sent, () => 'made');
  for (;;) {
    const { done, value } = comparison.next();
    if (done) return value.map(({ command }) => command);
  }
}

function members(count: number, value: (n: number) => JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, value(n)]));
}

const empty: JsonObject = {
  stepOutputs: {},
  decisionHistory: [],
  iterationCounts: {},
  globalContext: {},
  userPreferences: {},
  input: {},
  metadata: {},
};

describe('the difference between documents', () => {
  it.each<[string, (count: number) => JsonObject]>([
    ['step outputs', (count) => ({ stepOutputs: members(count, (n) => n) })],
    [
      'decisions',
      (count) => ({
        decisionHistory: Array.from({ length: count }, (_, n) => ({ decision: `d ${n}` })),
      }),
    ],
    ['iterations', (count) => ({ iterationCounts: members(count, () => 1_000) })],
    ['values', (count) => ({ globalContext: members(count, () => 'x'.repeat(90)) })],
    [
      'nested values',
      (count) => ({ userPreferences: { all: members(count, () => 'x'.repeat(90)) } }),
    ],
  ])('stops at %s that exceed the size of an append, for any number of further ones', (_, sent) => {
    const [large, larger] = [compare(empty, sent(20_000)), compare(empty, sent(40_000))];
    expect(large.error).toBeInstanceOf(AppendTooLargeError);
    expect(larger.steps).toBe(large.steps);
    expect(larger.steps).toBeLessThan(20_000);
  });

  it.each(['input', 'metadata'])('reports at most a hundred places of %s', (part) => {
    const before = { ...empty, [part]: members(200_000, () => 0) };
    const { error, steps } = compare(before, { [part]: members(200_000, () => 1) });
    expect(error).toBeInstanceOf(NotExpressibleError);
    expect(error).toHaveProperty('issues.length', maxIssues);
    expect(steps).toBeLessThan(1_000);
  });

  it('sets all members, with as many per command as one event may set', () => {
    const sent = members(25_000, (n) => n);
    const commands = commandsOf(empty, { globalContext: sent });
    const values = commands.map(({ data }) => Object(data).values);
    expect(values.map((part) => Object.keys(part).length)).toEqual([10_000, 10_000, 5_000]);
    expect(Object.assign({}, ...values)).toEqual(sent);
  });

  it('reports every place if there are a hundred', () => {
    const before = { ...empty, input: members(100, () => 0) };
    expect(compare(before, { input: members(100, () => 1) }).error).toHaveProperty(
      'issues.length',
      100,
    );
  });

  it.each(['globalContext', 'input', 'stepOutputs'])(
    'visits every member of %s once, at any depth',
    (part) => {
      const visits = (depth: number) => {
        let count = 0;
        const sent = counted(nested(depth, 'after'), () => (count += 1));
        compare({ ...empty, [part]: { s: nested(depth, 'before') } }, { [part]: { s: sent } });
        return count;
      };
      // Every level has an equal member, and the deepest level has one that differs.
      expect(visits(40)).toBeLessThan(visits(20) * 2.2);
    },
  );
});

function nested(depth: number, bottom: string): JsonObject {
  if (depth === 0) return { bottom };
  return { same: [1, 2, 3], below: nested(depth - 1, bottom) };
}

/** A copy of the object that reports each listing of its keys. */
function counted(object: JsonObject, report: () => void): JsonObject {
  const copy = Object.fromEntries(
    Object.entries(object).map(([name, value]): [string, JsonValue] => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? counted(value as JsonObject, report)
        : value,
    ]),
  );
  return new Proxy(copy, {
    ownKeys(target) {
      report();
      return Reflect.ownKeys(target);
    },
  });
}
