import { type JsonObject } from '#event-sourcing';

import { ExpressionError } from './expression-error.js';
import { type CompileOptions } from './compile-options.js';
import { compileExpression, evaluateExpression } from './expression.js';
import { limits } from './limits.js';

const scope: JsonObject = {
  context: {
    test: { success: true, a: 3, errors: [] },
    'parallel-tests': { success: false, error: null },
    parallel: 10,
    plan: { files: ['a.ts', 'b.ts'], title: 'Plan', score: 0.5 },
  },
  steps: {
    analyst: {
      output: {
        features: [
          { name: 'x', effort: 3 },
          { name: 'y', effort: 5 },
        ],
      },
    },
  },
  input: { mode: 'fast', text: 'Ünï 🦉', missing: null },
};
const declared = ['parallel-tests', 'parallel', 'test', 'plan'];

const valueOf = (source: string, options: CompileOptions = { declared }) =>
  evaluateExpression(compileExpression(source, options), scope);

const errorOf = (source: string, data: JsonObject = scope): ExpressionError => {
  try {
    evaluateExpression(compileExpression(source, { declared }), data);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${source} was evaluated`);
};

describe('an expression', () => {
  it.each([
    ['context.test.success === true', true],
    ['context.parallel-tests.success === true', false],
    ['context.parallel-tests.success == false', true],
    ['context.parallel - context.test.a', 7],
    ['context.parallel-context.test.a', 7],
    ['context["parallel-tests"].error', null],
    ['context["parallel-tests"].error ?? "none"', 'none'],
    ['context.plan.files.length', 2],
    ['context.plan.files[1]', 'b.ts'],
    ['context.plan.files["0"]', 'a.ts'],
    ['context.plan.files[2]', undefined],
    ['context.plan.files[-1]', undefined],
    ['context.nowhere.at.all', undefined],
    ['context.nowhere === undefined && input.missing === null', true],
    ['input.text[0] + input.text.length', 'Ü6'],
    ['1 + 2 * 3 - 4 / 2 % 3', 5],
    ['(1 + 2) * 3', 9],
    ['-2 - -2', 0],
    ['!context.test.success || 1 < 2', true],
    ['context.plan.score >= 0.5 ? "pass" : "fail"', 'pass'],
    ['false ? 1 : true ? 2 : 3', 2],
    ['"success" in context.test', true],
    ['"toString" in context.test', false],
    ['[1, "a", null, input.nothing]', [1, 'a', null, null]],
    ['{ a: 1, "b c": input.mode, d: input.nothing }', { a: 1, 'b c': 'fast' }],
    [String.raw`'it\'s' + "\u00e9\n"`, "it'sé\n"],
    ['1e3 + 0.5', 1000.5],
    ['context?.plan?.files?.[1]', 'b.ts'],
    ['context?.parallel-tests?.["success"]', false],
    ['context.nowhere?.at?.[0]?.all', undefined],
    ['context.test.success?1:2', 1],
    ['input.missing == null && input.nothing == null && undefined == null', true],
    ['input.missing != null || input.nothing != undefined', false],
    ['0 == null || "" == undefined || false == null || context.plan == null', false],
    ['context.test != null && [] != undefined', true],
    ['"4" == 4', false],
    ['input.nothing === null || input.missing === undefined', false],
  ])('%s is %j', (source, expected) => {
    expect(valueOf(source)).toEqual(expected);
  });

  it.each([
    ['len(context.plan.files) + len("abc") + len(context.test)', 8],
    ['keys(context["parallel-tests"])', ['success', 'error']],
    ['contains(context.plan.files, "a.ts") && contains(input.mode, "as")', true],
    ['startsWith(input.mode, "fa") && endsWith(input.mode, "st")', true],
    ['upper(input.mode) + lower("ABC")', 'FASTabc'],
    ['any(steps.analyst.output.features, item.effort > 4)', true],
    ['all(steps.analyst.output.features, item.effort > 4)', false],
    ['any([], true) || !all([], false)', false],
    ['map(filter(steps.analyst.output.features, item.effort > 4), item.name)', ['y']],
    ['map([[1, 2], [3]], sum(map(item, item * 2)))', [6, 6]],
    ['sum(map(steps.analyst.output.features, item.effort))', 8],
    ['min(3, 1, 2) + max([4, 9])', 10],
    ['max([])', undefined],
    ['join(context.plan.files, ", ")', 'a.ts, b.ts'],
    ['coalesce(input.nothing, input.missing, 0, 1)', 0],
    ['default(input.nothing, "d") + default("", "d")', 'd'],
    [
      '[round(2.5), round(-2.5), round(1.005, 2), round(10 / 3, 2), round(-0.4)]',
      [3, -2, 1.01, 3.33, 0],
    ],
    ['[round(1e300, 15), round(1.5e-7, 7), round(123.456, 0)]', [1e300, 2e-7, 123]],
    ['[floor(-1.5), ceil(-1.5), ceil(-0.5), abs(-3), abs(4)]', [-2, -1, 0, 3, 4]],
    ['any([1, null], item == undefined) && contains([null], null)', true],
    ['map(steps.analyst.output.features, feature => feature.name + feature.effort)', ['x3', 'y5']],
    [
      'map(["x", "y"], name => filter(steps.analyst.output.features, item.name === name))',
      [[{ name: 'x', effort: 3 }], [{ name: 'y', effort: 5 }]],
    ],
    ['map([1, 2], input => sum(map([10, 20], ten => ten * input)))', [30, 60]],
    ['map([1, 2], map([10], ten => ten * item))', [[10], [20]]],
  ])('with functions %s is %j', (source, expected) => {
    expect(valueOf(source)).toEqual(expected);
  });

  it.each([
    ['context.test.a < "4"', 15, /compares two numbers or two texts, not a number with a text/],
    ['1 + input.nothing', 2, /not for a number and undefined/],
    ['true + 1', 5, /not for a boolean and a number/],
    ['1 / 0', 2, /division by zero/],
    ['1e308 * 10', 6, /too large/],
    ['context.test === context.plan', 13, /an object cannot be compared with an object/],
    ['-"a"', 0, /- is for a number/],
    ['"a" in context.plan.files', 4, /use contains/],
    ['context[true]', 7, /in brackets/],
    ['len(1)', 0, /len is for a text, a list or an object, not for a number/],
    ['map(input, item)', 0, /map is for a list, not for an object/],
    ['sum(["a"])', 0, /sum is for numbers, not for a text/],
    ['join([null], "")', 0, /join is for texts and numbers/],
  ])('%s fails on this data at %i', (source, position, reason) => {
    expect(errorOf(source)).toMatchObject({ position, reason: expect.stringMatching(reason) });
  });

  it.each([
    ['', 0, /something is missing/],
    ['1 +', 3, /something is missing/],
    ['a b', 2, /should have ended/],
    ['(1', 2, /"\)" is expected/],
    ['a.', 2, /name is expected after the dot/],
    ['a ?? b || c', 2, /parentheses/],
    ['a && b ?? c', 7, /parentheses/],
    ['eval("1")', 0, /there is no function eval; there are len, keys/],
    ['a.b()', 2, /there are no methods; there are the functions len, keys/],
    ['a.includes("b")', 2, /there are no methods: write contains\(...\)/],
    ['a.map(x => x)', 2, /there are no methods: write map\(...\)/],
    ['map(a, true => 1)', 7, /true is a reserved word/],
    ['len(x => x)', 6, /"," is expected/],
    ['round(1, 2, 3)', 0, /round takes 1 or 2 arguments/],
    ['round(1, 16)', 0, /round keeps 0 to 15 digits/],
    ['round(1, 0.5)', 0, /round keeps 0 to 15 digits/],
    ['round("1")', 0, /round is for a number, not for a text/],
    ['a?.(1)', 3, /name is expected after the dot/],
    ['len()', 0, /len takes 1 argument/],
    ['any([1])', 0, /any takes a list and an expression/],
    ['x => x', 2, /is the second argument of any, all, filter or map/],
    ['a = 1', 2, /"=" does not compare: write ===/],
    ['`a`', 0, /unexpected "`"/],
    ['/a/.test(b)', 0, /unexpected "\/"/],
    ['0x10', 0, /not a decimal number/],
    ['01', 0, /not a decimal number/],
    ['1.', 0, /not a decimal number/],
    ['1e999', 0, /too large for a number/],
    [String.raw`"\x41"`, 0, /no escape \\x/],
    ['"a', 0, /unexpected/],
    ['{ 1: 2 }', 2, /a key is expected/],
    ['in 1', 0, /missing before "in"/],
    ['[1,,2]', 3, /unexpected ","/],
    ['#', 0, /unexpected "#"/],
  ])('%j is refused at %i', (source, position, reason) => {
    expect(errorOf(source)).toMatchObject({ position, reason: expect.stringMatching(reason) });
  });

  describe('of several lines', () => {
    const linesOf = (source: string, data: JsonObject = scope) =>
      evaluateExpression(compileExpression(source, { lines: true }), data);

    it('has the value of its last line', () => {
      const data = { features: ['a', 'b', 'c'], users: ['u'] };
      const lines = ['feature_part = len(features) * 2', 'user_part = len(users) * 1.5'];
      const last = [
        'score = (feature_part + user_part) / 3',
        'round((feature_part + user_part) / 3)',
      ];
      expect(linesOf([...lines, last[0]].join('\n'), data)).toBe(2.5);
      expect(linesOf(['', ...lines, '', last[1], ''].join('\r\n'), data)).toBe(3);
    });

    it('continues in a line that begins with an operator, or after one that ends with one', () => {
      expect(linesOf('a = 1\n  + 2\nb = a +\n3')).toBe(6);
    });

    it('may be one line, with a name or without', () => {
      expect(linesOf('x = 1 + 1')).toBe(2);
      expect(compileExpression('1 + 1', { lines: true }).tree.kind).toBe('binary');
    });

    it('finds names within list functions, and elements before them', () => {
      expect(linesOf('k = 2\nmap([1, 2], item * k)')).toEqual([2, 4]);
      expect(linesOf('k = 2\nmap([1, 2], k => k)')).toEqual([1, 2]);
    });

    it('has the same value after its tree was stored', () => {
      const { source, tree } = compileExpression('k = 2\nmap([1, 2], n => n * k)', { lines: true });
      const stored = { source, tree: JSON.parse(JSON.stringify(tree)) };
      expect(evaluateExpression(stored, {})).toEqual([2, 4]);
    });

    it.each([
      ['a = 1\na = 2', 6, /a line above is called a already/],
      ['a = b\nb = 1', 4, /b is used before the end of its line/],
      ['a = a + 1', 4, /a is used before/],
      ['item = 1', 0, /item is a reserved word/],
      ['a = 1\nb\nc', 8, /should have ended/],
      ['a = 1 b = 2', 6, /should have ended/],
      ['a.b = 1', 4, /"=" does not compare/],
      ['a =', 3, /something is missing/],
    ])('%j is refused at %i', (source, position, reason) => {
      expect(() => linesOf(source)).toThrow(ExpressionError);
      expect(() => linesOf(source)).toThrow(reason);
      expect(() => linesOf(source)).toThrow(`at character ${position + 1}:`);
    });

    it('counts the parts of all lines together', () => {
      const lines = (count: number) =>
        Array.from({ length: count }, (_, at) => `a${at} = -1`).join('\n');
      expect(() => compileExpression(lines(249), { lines: true })).not.toThrow();
      expect(() => compileExpression(lines(250), { lines: true })).toThrow(/more than 500 parts/);
    });
  });

  it('counts positions from one', () => {
    expect(errorOf('1 +').message).toBe('at character 4: something is missing here');
  });

  it('reads own members only, under any name', () => {
    for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(valueOf(`context.${key}`)).toBeUndefined();
      expect(valueOf(`context["${key}"]`)).toBeUndefined();
      expect(valueOf(key)).toBeUndefined();
      expect(valueOf(`input.text.${key}`)).toBeUndefined();
    }
    const data = JSON.parse('{"__proto__":{"a":1}}');
    expect(evaluateExpression(compileExpression('__proto__.a'), data)).toBe(1);
    const made = valueOf('{ __proto__: { polluted: true } }');
    expect(JSON.stringify(made)).toBe('{"__proto__":{"polluted":true}}');
    expect(valueOf('{}.polluted')).toBeUndefined();
  });

  it('accepts hyphens after a dot only in declared names, the longest first', () => {
    expect(valueOf('context.parallel-tests.success')).toBe(false);
    expect(errorOf('context.unknown-name').message).toMatch(/undefined and undefined/);
    const both = { declared: ['a', 'a-b', 'a-b-c'] };
    const data = { s: { a: 1, 'a-b': 2, 'a-b-c': 3, 'a-bx': 4 } };
    const of = (source: string) => evaluateExpression(compileExpression(source, both), data);
    expect([of('s.a-b-c'), of('s.a-b'), of('s.a - s.a-b')]).toEqual([3, 2, -1]);
    expect(() => of('s.a-bx')).toThrow(ExpressionError);
  });

  it.each(['9007199254740993', '1 + 0.12345678901234567890', '1e-400', '-123456789012345678901'])(
    'is refused where %s holds a number that a double does not, unless it is stored already',
    (source) => {
      expect(() => compileExpression(source, { exactNumbers: true })).toThrow(
        /no double holds [\d.e-]+ exactly: write /,
      );
      expect(typeof evaluateExpression(compileExpression(source), {})).toBe('number');
    },
  );

  it.each(['9007199254740992', '0.1', '1.10', '1e23', '5e-324', '0.30000000000000004'])(
    'may hold %s, which a double is written as',
    (source) => {
      const { tree } = compileExpression(source, { exactNumbers: true });
      expect(tree).toMatchObject({ kind: 'literal', value: Number(source) });
    },
  );

  it('has the same value after its tree was stored', () => {
    const { source, tree } = compileExpression('map(context.plan.files, upper(item) ?? -1)');
    const stored = { source, tree: JSON.parse(JSON.stringify(tree)) };
    expect(evaluateExpression(stored, scope)).toEqual(['A.TS', 'B.TS']);
  });
});

describe('the limits of an expression', () => {
  const long = 'x'.repeat(40_000);
  const many = Array.from({ length: 60_000 }, (_, n) => n);

  it.each([
    ['the source', `"${'a'.repeat(4_100)}"`, {}, /longer than 4096/],
    ['its parts', Array.from({ length: 300 }, () => '1').join('+'), {}, /more than 500 parts/],
    ['depth of parentheses', `${'('.repeat(200)}1${')'.repeat(200)}`, {}, /nested more than 50/],
    ['depth of minus', `${'-'.repeat(200)}1`, {}, /nested more than 50/],
    ['depth of lists', `${'['.repeat(200)}${']'.repeat(200)}`, {}, /nested more than 50/],
    ['steps of a list', 'any(many, item < 0)', { many }, /more than 50000 steps/],
    ['steps of a sum', 'sum(many)', { many }, /more than 50000 steps/],
    [
      'steps of lists in lists',
      'map(some, sum(map(some, item)))',
      { some: many.slice(0, 500) },
      /more than 50000 steps/,
    ],
    ['a text', 'long + long', { long }, /longer than 65536/],
    ['a joined text', 'join([long, long], "")', { long }, /longer than 65536/],
    ['the result', '[long, long]', { long }, /larger than 65536/],
    ['a result that is one part many times', 'map(ten, long)', { long, ten: [1, 2] }, /larger/],
    ['a long list as it is', 'many', { many }, /larger/],
  ])('end an evaluation that exceeds them: %s', (_, source, data, reason) => {
    expect(errorOf(source, data).reason).toMatch(reason);
  });

  const text = (length: number) => 'x'.repeat(length);
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));

  /** Steps as reported to a caller that counts them over several expressions. */
  function stepsOf(source: string, data: JsonObject): number {
    let steps = 0;
    evaluateExpression(compileExpression(source), data, (taken) => (steps += taken));
    return steps;
  }

  it.each<[string, number, (size: number) => JsonObject]>([
    ['a == b', 100, (size) => ({ a: text(size), b: text(size) })],
    ['a < b', 100, (size) => ({ a: text(size), b: text(size) })],
    ['a != "y"', 0, (size) => ({ a: text(size) })],
    ['startsWith(a, b)', 100, (size) => ({ a: text(size), b: text(size) })],
    ['endsWith(a, "y")', 0, (size) => ({ a: text(size) })],
    ['contains(a, "y")', 100, (size) => ({ a: text(size) })],
    ['contains(a, b)', 150, (size) => ({ a: text(size), b: text(size / 2) })],
    ['len(a + b)', 100, (size) => ({ a: text(size / 2), b: text(size / 2) })],
    ['len(lower(a))', 200, (size) => ({ a: text(size) })],
    ['len(upper(a))', 200, (size) => ({ a: text(size) })],
    ['len(join([a, a], ""))', 100, (size) => ({ a: text(size / 2) })],
    ['len(default(a, coalesce(a)))', 0, (size) => ({ a: text(size) })],
    ['len(a)', 6_400, (size) => ({ a: members(size) })],
    ['len(keys(a))', 12_800, (size) => ({ a: members(size) })],
    ['sum(a)', 6_400, (size) => ({ a: many.slice(0, size) })],
  ])('count the steps of %s: %d more for the larger data', (source, more, dataOf) => {
    const [first = 0, second, third] = [6_400, 12_800, 19_200].map((size) =>
      stepsOf(source, dataOf(size)),
    );
    expect([second, third]).toEqual([first + more, first + 2 * more]);
  });

  it('allow the maximum number of steps, and not one more', () => {
    const compared = (length: number) => ({ a: text(length), b: text(length) });
    const most = (limits.steps - 3) * 64 + 63;
    const equal = compileExpression('a == b');
    expect(evaluateExpression(equal, compared(most))).toBe(true);
    expect(errorOf('a == b', compared(most + 1)).reason).toMatch(/more than 50000 steps/);
  });

  it('may be lowered by a caller that counts steps over several expressions', () => {
    const ending = () => {
      throw new RangeError('no more');
    };
    expect(() => evaluateExpression(compileExpression('1 + 1'), {}, ending)).toThrow(RangeError);
  });

  it.each<[string, number, (count: number) => [string, JsonObject?], RegExp]>([
    ['the source', 4_096, (n) => [`1${' '.repeat(n - 1)}`], /longer than 4096/],
    // Two for the minus, and two for each other number with its plus.
    ['its parts', 249, (n) => [`-1${'+1'.repeat(n)}`], /more than 500 parts/],
    ['lists in lists', 50, (n) => ['['.repeat(n) + ']'.repeat(n)], /nested more than 50/],
    [
      'steps',
      49_998,
      (n) => ['sum(many)', { many: Array.from({ length: n }, () => 1) }],
      /more than 50000 steps/,
    ],
    [
      'a text',
      65_536,
      (n) => ['len(a + b)', { a: 'x'.repeat(n - 1), b: 'x' }],
      /longer than 65536/,
    ],
    ['the result', 65_536, (n) => ['a', { a: 'x'.repeat(n - 2) }], /larger than 65536/],
  ])('accept %s up to %i and refuse more', (_, limit, expression, reason) => {
    const [source, data = {}] = expression(limit);
    expect(() => evaluateExpression(compileExpression(source), data)).not.toThrow();
    expect(errorOf(...expression(limit + 1)).reason).toMatch(reason);
  });

  it('do not count values that are only read', () => {
    const data = { long, many };
    const of = (source: string) => evaluateExpression(compileExpression(source), data);
    expect(of('many[59999] + len(long)')).toBe(99_999);
  });

  it('hold for data nested deeper than a stack', () => {
    let deep: JsonObject = {};
    for (let n = 0; n < 100_000; n++) deep = { a: deep };
    expect(errorOf('deep', { deep }).reason).toMatch(/larger than/);
  });
});
