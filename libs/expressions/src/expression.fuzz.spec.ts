import fc from 'fast-check';

import { type JsonObject } from '#event-sourcing';

import { ExpressionError } from './expression-error.js';
import { compileExpression, evaluateExpression } from './expression.js';

/** Source as JavaScript and as ours: a path that leads nowhere is undefined here, an exception there. */
type SourcePair = Readonly<{ ours: string; theirs: string }>;

const both = (text: string): SourcePair => ({ ours: text, theirs: text });
const joined = (strings: readonly string[], ...parts: SourcePair[]): SourcePair => ({
  ours: String.raw({ raw: strings }, ...parts.map(({ ours }) => ours)),
  theirs: String.raw({ raw: strings }, ...parts.map(({ theirs }) => theirs)),
});

const names = ['a', 'b', 'length', 'constructor', '__proto__', 'toString'];
const literals = fc
  .oneof(
    fc.integer({ min: 0, max: 20 }).map(String),
    fc.constantFrom('0.5', '1e2', 'true', 'false', 'null', 'undefined', '""', '"a"', "'b\\n'"),
  )
  .map(both);
const operators = fc.constantFrom(
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '&&',
  '||',
  '??',
);

const looseOperators = fc.constantFrom('==', '!=');
const rounding = fc.constantFrom('round', 'floor', 'ceil', 'abs');

const { expression } = fc.letrec<{ expression: SourcePair }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    literals,
    fc.constantFrom('data', 'list', 'text').map(both),
    fc.tuple(tie('expression'), fc.constantFrom(...names)).map(([object, name]) => ({
      ours: `(${object.ours}).${name}`,
      theirs: `own(${object.theirs}, ${JSON.stringify(name)})`,
    })),
    fc.tuple(tie('expression'), tie('expression')).map(([object, index]) => ({
      ours: `(${object.ours})[${index.ours}]`,
      theirs: `own(${object.theirs}, ${index.theirs})`,
    })),
    // JavaScript also reads inherited members: only absent values and absent members are read this way.
    fc
      .tuple(fc.constantFrom('null', 'undefined', 'data.gone', 'text', 'list'), tie('expression'))
      .map(([object, index]) => joined`${both(object)}?.gone?.[${index}]`),
    fc
      .tuple(tie('expression'), looseOperators, tie('expression'))
      .map(([left, operator, right]) => ({
        ours: `(${left.ours}) ${operator} (${right.ours})`,
        theirs: `loosely(${left.theirs}, ${JSON.stringify(operator)}, ${right.theirs})`,
      })),
    fc.tuple(rounding, tie('expression')).map(([name, operand]) => ({
      ours: `${name}(${operand.ours})`,
      theirs: `Math.${name}(numberIn(${operand.theirs}))`,
    })),
    fc
      .tuple(fc.constantFrom('min', 'max'), tie('expression'), tie('expression'))
      .map(([name, left, right]) => ({
        ours: `${name}(${left.ours}, ${right.ours})`,
        theirs: `Math.${name}(numberIn(${left.theirs}), numberIn(${right.theirs}))`,
      })),
    tie('expression').map((body) => ({
      ours: `map(list, text => ${body.ours})`,
      theirs: `list.map((text) => orNull(${body.theirs}))`,
    })),
    fc
      .tuple(tie('expression'), operators, tie('expression'))
      .map(([left, operator, right]) => joined`(${left}) ${both(operator)} (${right})`),
    fc
      .tuple(fc.constantFrom('!', '-'), tie('expression'))
      .map(([operator, operand]) => joined`${both(operator)}(${operand})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([test, yes, no]) => joined`(${test}) ? (${yes}) : (${no})`),
    fc.array(tie('expression'), { maxLength: 3 }).map((elements) => ({
      ours: `[${elements.map(({ ours }) => ours).join(', ')}]`,
      theirs: `[${elements.map(({ theirs }) => `orNull(${theirs})`).join(', ')}]`,
    })),
  ),
}));

const scopes = fc.record({
  data: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), fc.jsonValue({ maxDepth: 2 })),
  list: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }),
  text: fc.string({ maxLength: 5 }),
});

/** What JavaScript does without its coercions: own members of JSON, and no value that JSON cannot hold. */
const helpers = {
  own(object: unknown, key: unknown): unknown {
    if (typeof key !== 'string' && typeof key !== 'number') throw new TypeError('no key');
    if (object === null || object === undefined || typeof object === 'number') return undefined;
    return Object.hasOwn(Object(object), key) ? (object as never)[key] : undefined;
  },
  orNull: (value: unknown) => value ?? null,
  /** Without what JavaScript converts: a text into a number, a list into a text. */
  loosely(left: unknown, operator: string, right: unknown): boolean {
    const isNothing = [left, right].some((side) => side === null || side === undefined);
    // eslint-disable-next-line eqeqeq -- the test compares with this operator
    const isSame = isNothing ? left == right : left === right;
    return operator === '==' ? isSame : !isSame;
  },
  numberIn(value: unknown): unknown {
    if (typeof value !== 'number') throw new TypeError('no number');
    return value;
  },
};

function inJavaScript(source: string, scope: JsonObject): unknown {
  const parameters = { ...helpers, ...scope };
  const made = new Function(...Object.keys(parameters), `"use strict"; return (${source});`);
  return made(...Object.values(parameters));
}

describe('an expression and the same in JavaScript', () => {
  it('have the same value whenever ours has one', () => {
    let [generated, compared] = [0, 0];
    fc.assert(
      fc.property(expression, scopes, (source, scope) => {
        generated++;
        let ours: unknown;
        try {
          // Generated JSON is JSON.
          ours = evaluateExpression(compileExpression(source.ours), scope as JsonObject);
        } catch (error) {
          // Ours refuses more: what JavaScript converts. It must not fail in any other way.
          expect(error).toBeInstanceOf(ExpressionError);
          return;
        }
        compared++;
        const theirs = inJavaScript(source.theirs, scope as JsonObject);
        // As JSON, which has one zero.
        expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
      }),
      { numRuns: 10_000 },
    );
    expect(compared / generated).toBeGreaterThan(0.2);
  });

  it('have the same precedence without parentheses', () => {
    const operands = fc.integer({ min: 0, max: 9 }).map(String);
    const signs = fc.constantFrom('+', '-', '*', '/', '%', '<', '>=', '===', '!==', '&&', '||');
    const chain = fc.tuple(operands, fc.array(fc.tuple(signs, operands), { maxLength: 6 }));
    fc.assert(
      fc.property(chain, ([first, rest]) => {
        const source = [first, ...rest.flat()].join(' ');
        let ours: unknown;
        try {
          ours = evaluateExpression(compileExpression(source), {});
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
          return;
        }
        const theirs = inJavaScript(source, {});
        expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
      }),
      { numRuns: 3_000 },
    );
  });

  it('round the decimal number as written, to the given number of digits', () => {
    const digits = fc.integer({ min: 0, max: 15 });
    // What toFixed rounds is the double, which may be a little less than the number that was written.
    const hundredths = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(hundredths, digits, (count, more) => {
        const number = Number(`${count}e-2`);
        expect(evaluateExpression(compileExpression(`round(x, 1)`), { x: number })).toBe(
          Math.round(count / 10) / 10 || 0,
        );
        expect(evaluateExpression(compileExpression(`round(x, ${more})`), { x: count })).toBe(
          count || 0,
        );
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), digits, (x, count) => {
        const rounded = evaluateExpression(compileExpression(`round(x, ${count})`), { x });
        // Numbers themselves may lie further from each other than the digits ask for.
        const spacing = Number.EPSILON * Math.abs(x);
        expect(Math.abs(Number(rounded) - x)).toBeLessThanOrEqual(
          0.5000001 * 10 ** -count + spacing,
        );
      }),
    );
  });

  it('have the same value with lines as with const', () => {
    const operand = fc.constantFrom('a', 'b', 'x', '1', '2.5', 'null');
    const sign = fc.constantFrom('+', '-', '*', '===', '!==', '??');
    const lines = fc.array(fc.tuple(operand, sign, operand), { minLength: 1, maxLength: 5 });
    const scope = { x: 3, a: 7, b: null };
    let [generated, compared] = [0, 0];
    fc.assert(
      fc.property(lines, fc.boolean(), (given, isLastNamed) => {
        const texts = given.map((parts) => parts.join(' '));
        const names = texts.map((_, at) => 'abcde'[at] ?? '');
        if (!isLastNamed) names[texts.length - 1] = 'last';
        const named = texts.map((text, at) =>
          names[at] === 'last' ? text : `${names[at]} = ${text}`,
        );
        generated++;
        let ours: unknown;
        try {
          const compiled = compileExpression(named.join('\n'), { lines: true });
          ours = evaluateExpression(compiled, scope);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
          return;
        }
        compared++;
        const declared = texts.map((text, at) => `const ${names[at]} = ${text};`).join('\n');
        const source = `(() => { ${declared} return ${names.at(-1)}; })()`;
        expect(JSON.stringify(ours)).toBe(JSON.stringify(inJavaScript(source, scope)));
      }),
      { numRuns: 3_000 },
    );
    expect(compared / generated).toBeGreaterThan(0.1);
  });

  it('of any text end with a value or an error with a position', () => {
    const pieces = fc.constantFrom(
      'a',
      '.',
      '[',
      ']',
      '(',
      ')',
      '{',
      '}',
      ',',
      ':',
      '?',
      '??',
      '&&',
      '||',
      '!',
      '-',
      '+',
      '"x"',
      "'",
      '\\',
      '1',
      '0.5',
      'in',
      'len',
      'any',
      '=>',
      '?.',
      'item',
      ' ',
      '=',
      '===',
      '\n',
      'é',
      '🦉',
    );
    const sources = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(sources, (source) => {
        try {
          const options = { declared: ['a-b', ''], lines: source.length % 2 === 0 };
          evaluateExpression(compileExpression(source, options), { a: [1, { a: 2 }] });
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
          expect(error).toMatchObject({ position: expect.any(Number) });
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
