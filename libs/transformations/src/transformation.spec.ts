import fc from 'fast-check';

import { type JsonObject, type JsonValue } from '#event-sourcing';

import {
  type TransformationDefinition,
  compileTransformation,
  StepsExceededError,
  runTransformation,
  transformationDefinition,
  transformationLimits,
} from './index.js';

type Operation = TransformationDefinition['operation'];

function run(operation: Operation, sources: JsonObject) {
  const definition = transformationDefinition.parse({
    trigger: { agent: 'analyst' },
    sources: Object.fromEntries(Object.keys(sources).map((name) => [name, `context.${name}`])),
    operation,
    destinations: ['project_metadata.result'],
  });
  const of = { transformationId: 't', version: 1 };
  return runTransformation(compileTransformation(of, definition), sources);
}

const complexity: Operation = {
  kind: 'score',
  expression:
    '(len(core_features) * 2 + len(target_users) * 1.5 + len(technical_constraints) * 3) / 3',
};
const adaptation: Operation = {
  kind: 'select',
  by: 'score',
  ranges: [
    {
      upTo: 4,
      value: { workflow_type: 'simplified', skip_steps: ['optional_architectural_review'] },
    },
    { upTo: 7, value: { workflow_type: 'standard' } },
    {
      value: {
        workflow_type: 'comprehensive',
        add_steps: ['detailed_security_review', 'performance_analysis'],
      },
    },
  ],
};
const byExpression = {
  kind: 'enrich' as const,
  each: 'users',
  eachAs: 'user_type',
  entries: 'stories',
  entriesAs: 'related_stories',
};
const personas: Operation = { ...byExpression, entryKey: 'user' };

describe('score', () => {
  it.each([
    [1, 1, 0, 3.5 / 3],
    [4, 2, 1, 14 / 3],
    [3, 2, 4, 7],
    [5, 2, 3, 22 / 3],
  ])('scores %d features, %d users and %d constraints as %d', (features, users, limits, score) => {
    const list = (length: number) => Array.from({ length }, () => 'x');
    const sources = {
      core_features: list(features),
      target_users: list(users),
      technical_constraints: list(limits),
    };
    expect(run(complexity, sources)).toEqual({ value: score });
  });

  it('accepts the algorithm in several lines, as in the session description', () => {
    const lines = [
      'feature_complexity = len(core_features) * 2',
      'user_complexity = len(target_users) * 1.5',
      'technical_complexity = len(technical_constraints) * 3',
      'complexity_score = round((feature_complexity + user_complexity + technical_complexity) / 3, 2)',
    ];
    const sources = {
      core_features: ['a', 'b', 'c', 'd'],
      target_users: ['u', 'v'],
      technical_constraints: ['t'],
    };
    expect(run({ kind: 'score', expression: lines.join('\n') }, sources)).toEqual({ value: 4.67 });
  });

  it('returns a problem if a source has no usable value', () => {
    const sources = { core_features: 3, target_users: [], technical_constraints: [] };
    expect(run(complexity, sources)).toEqual({
      value: null,
      problem: 'at character 2: len is for a text, a list or an object, not for a number',
    });
    expect(run({ kind: 'score', expression: 'title' }, { title: 'x' })).toEqual({
      value: null,
      problem: 'the expression is a text, not a number: use the operation compute for other values',
    });
  });
});

describe('compute', () => {
  it.each<[string, JsonValue]>([
    ['title', 'x'],
    ['len(title) > 3', false],
    ['{ title: title, parts: [1, title] }', { title: 'x', parts: [1, 'x'] }],
    ['gone ?? null', null],
  ])('returns the value of %s', (expression, value) => {
    expect(run({ kind: 'compute', expression }, { title: 'x', gone: null })).toEqual({ value });
  });

  it('returns a problem if the expression has no value', () => {
    expect(run({ kind: 'compute', expression: 'title.length.x' }, { title: 'x' })).toEqual({
      value: null,
      problem: 'the expression is undefined: write ?? null if there may be nothing',
    });
  });

  it('derives the detailed personas of the session description from stories in prose', () => {
    const expression = [
      'map(target_users, user => {',
      '  user_type: user,',
      '  related_stories: filter(stories, story => contains(lower(story), "as a " + lower(user))),',
      '  story_count: len(filter(stories, contains(lower(item), lower(user))))',
      '})',
    ].join('\n');
    const sources = {
      target_users: ['Shopper', 'Shopkeeper'],
      stories: [
        'As a shopper, I find fresh bread.',
        'As a shopkeeper, I say what I have.',
        'As a shopper, I reserve the last loaf.',
      ],
    };
    expect(run({ kind: 'compute', expression }, sources)).toEqual({
      value: [
        {
          user_type: 'Shopper',
          related_stories: [sources.stories[0], sources.stories[2]],
          story_count: 2,
        },
        { user_type: 'Shopkeeper', related_stories: [sources.stories[1]], story_count: 1 },
      ],
    });
  });

  it('returns a problem if the value would exceed the size limit', () => {
    const text = 'x'.repeat(10_000);
    const made = run(
      { kind: 'compute', expression: 'map(many, text)' },
      { many: [1, 2, 3, 4, 5, 6, 7], text },
    );
    expect(made.problem).toContain('larger than 65536 characters');
  });
});

describe('select', () => {
  it.each([
    [3.9, 'simplified'],
    [4, 'simplified'],
    [4.1, 'standard'],
    [7, 'standard'],
    [7.1, 'comprehensive'],
  ])('selects for %d the range %s, which includes its upper bound', (score, type) => {
    expect(run(adaptation, { score }).value).toMatchObject({ workflow_type: type });
  });

  it('returns a problem if a number is above every range', () => {
    const ranges = [{ upTo: 1, value: 'low' }];
    expect(run({ kind: 'select', by: 'n', ranges }, { n: 2 })).toEqual({
      value: null,
      problem: '2 is above every range',
    });
  });

  it('returns a problem if the value for ranges is not a number', () => {
    expect(run({ kind: 'select', by: 'n', ranges: [{ value: 'low' }] }, { n: 'x' })).toEqual({
      value: null,
      problem: 'the expression is a text, not a number: select by cases instead of ranges',
    });
  });

  const cases = [
    { is: 'web', value: ['frontend', 'backend'] },
    { is: 1, value: 'one' },
    { is: true, value: 'yes' },
    { is: null, value: 'nothing' },
  ];

  it.each<[JsonValue, JsonValue]>([
    ['web', ['frontend', 'backend']],
    [1, 'one'],
    ['1', 'other'],
    [true, 'yes'],
    [null, 'nothing'],
    [['web'], 'other'],
  ])('selects for %j the case %j', (n, value) => {
    const operation = { kind: 'select', by: 'n', cases, otherwise: 'other' } as const;
    expect(run({ ...operation, cases: [...cases] }, { n })).toEqual({ value });
  });

  it.each<[string, string]>([
    ['n', 'no case is "cli", and there is no otherwise'],
    ['n.x', 'no case is undefined, and there is no otherwise'],
    ['[n]', 'no case is a list, and there is no otherwise'],
  ])('returns a problem if no case equals %s', (by, problem) => {
    expect(run({ kind: 'select', by, cases }, { n: 'cli' })).toEqual({ value: null, problem });
  });
});

describe('propagate', () => {
  it('copies its only source', () => {
    expect(run({ kind: 'propagate' }, { constraints: ['PCI', { year: 2026 }] })).toEqual({
      value: ['PCI', { year: 2026 }],
    });
  });

  it('returns a problem if the source exceeds the size limit of a value', () => {
    const text = 'x'.repeat(transformationLimits.valueLength - 2);
    expect(run({ kind: 'propagate' }, { text })).toEqual({ value: text });
    const longer = run({ kind: 'propagate' }, { text: `${text}"` });
    expect(longer).toMatchObject({ value: null });
    expect(longer.problem).toContain('larger than 65536 characters');
  });
});

describe('enrich', () => {
  const stories = [
    { id: 1, user: 'buyer' },
    { id: 2, user: ['seller', 'buyer'] },
    { id: 3, user: 'admin' },
    { id: 4 },
    'no story',
  ];

  it('adds to each element the entries that match it, in their order', () => {
    expect(run(personas, { users: ['buyer', 'seller', 'guest'], stories })).toEqual({
      value: [
        { user_type: 'buyer', related_stories: stories.slice(0, 2) },
        { user_type: 'seller', related_stories: [stories[1]] },
        { user_type: 'guest', related_stories: [] },
      ],
    });
  });

  it('matches elements by one of their members', () => {
    const users = [{ role: { name: 'admin' } }, { role: {} }];
    const operation: Operation = { ...personas, eachKey: 'role.name' };
    expect(run(operation, { users, stories }).value).toEqual([
      { user_type: users[0], related_stories: [stories[2]] },
      { user_type: users[1], related_stories: [] },
    ]);
  });

  it('matches entries by an expression of element and entry', () => {
    const match = 'contains(lower(entry), prefix + lower(element))';
    const sources = {
      users: ['Buyer', 'Seller'],
      stories: ['As a buyer, I pay.', 'As a seller, I ship.', 'As a buyer, I wait.'],
      prefix: 'as a ',
    };
    expect(run({ ...byExpression, match }, sources).value).toEqual([
      { user_type: 'Buyer', related_stories: [sources.stories[0], sources.stories[2]] },
      { user_type: 'Seller', related_stories: [sources.stories[1]] },
    ]);
  });

  it('by an expression has the same limit of matches as by keys, and costs the steps of all pairs', () => {
    const list = (length: number) => Array.from({ length }, () => 'x');
    const of = (users: number, stories: number, match: string) =>
      run({ ...byExpression, match }, { users: list(users), stories: list(stories) }).problem;
    expect(of(100, 100, 'true')).toBeUndefined();
    expect(of(100, 101, 'true')).toBe('more than 10000 entries match');
    expect(() => of(400, 400, 'false')).toThrow(StepsExceededError);
  });

  it('reports which source is not a list', () => {
    expect(run(personas, { users: ['buyer'], stories: {} })).toEqual({
      value: null,
      problem: '"stories" is no list',
    });
  });

  it('stops when the matches exceed the size limit of a value', () => {
    const entries = (count: number) => Array.from({ length: count }, () => ({ user: 'x' }));
    const matching = (count: number) =>
      run(personas, { users: Array.from({ length: 100 }, () => 'x'), stories: entries(count) });
    expect(matching(100).problem).toContain('larger than');
    expect(matching(101).problem).toBe('more than 10000 entries match');
  });

  it('finds the same matches as a naive search', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', 1, true, null);
    const entry = fc.record({ user: fc.oneof(key, fc.array(key, { maxLength: 3 })) });
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 6 }),
        fc.array(entry, { maxLength: 6 }),
        (each, of) => {
          const isAbout = (user: JsonValue, one: JsonValue) =>
            one !== null && (Array.isArray(user) ? user.includes(one) : user === one);
          const expected = each.map((one) => ({
            user_type: one,
            related_stories: of.filter(({ user }) => isAbout(user, one)),
          }));
          expect(run(personas, { users: each, stories: of }).value).toEqual(expected);
        },
      ),
    );
  });
});

describe('any operation', () => {
  const operations: readonly Operation[] = [
    complexity,
    adaptation,
    personas,
    { kind: 'propagate' as const },
    { kind: 'compute', expression: 'map(any, one => { one: one.a ?? any[0], all: len(any) })' },
  ];

  it.each(operations)('returns a value or a problem for any data: $kind', (operation) => {
    const names = {
      score: ['core_features', 'target_users', 'technical_constraints'],
      select: ['score'],
      enrich: ['users', 'stories'],
      propagate: ['any'],
      compute: ['any'],
    }[operation.kind];
    // fast-check generates JSON values only, although its type is wider.
    const data = fc.tuple(...names.map(() => fc.jsonValue() as fc.Arbitrary<JsonValue>));
    fc.assert(
      fc.property(data, (values) => {
        const sources = Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
        const derived = run(operation, sources);
        expect(derived.problem === undefined || derived.value === null).toBe(true);
        expect(run(operation, sources)).toEqual(derived);
      }),
    );
  });
});
