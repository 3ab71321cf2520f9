import { readFileSync } from 'node:fs';

import { type JsonObject, type JsonValue } from '#event-sourcing';

import { functionNames } from './function-names.js';
import {
  ExpressionError,
  compileExpression,
  evaluateExpression,
  expressionLimits,
} from './index.js';

const page = readFileSync(new URL('../../../docs/expressions.md', import.meta.url), 'utf8');

type Example = Readonly<{ source: string; sign: string; expected: string; declared: string[] }>;

const blocks = [...page.matchAll(/^```(\w+) ?(.*)\n([^]*?)^```$/gm)].map(
  ([, language = '', rest = '', body = '']) => ({ language, rest, body }),
);
const data = JSON.parse(
  blocks.find(({ language }) => language === 'json')?.body ?? 'null',
) as JsonObject;
const examples = blocks
  .filter(({ language }) => language === 'expressions')
  .flatMap(({ body, rest }) =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => exampleIn(line, rest.split(' ').filter(Boolean))),
  );

/** `<expression>  => <JSON>` or `<expression>  !! <message>`. */
function exampleIn(line: string, declared: string[]): Example {
  const [, source = '', sign = '', expected = ''] = /^(.*?) {2,}(=>|!!) (.*)$/.exec(line) ?? [];
  if (source === '') throw new Error(`no example: ${line}`);
  return { source, sign, expected, declared };
}

/** As the page writes it. */
function outcomeOf({
  source,
  declared,
}: Example): JsonValue | undefined | Readonly<{ refused: string }> {
  try {
    // An example is one line of the page: the sign stands for the end of a line of the expression.
    const options = { declared, exactNumbers: true, lines: source.includes(' ⏎ ') };
    return evaluateExpression(compileExpression(source.replaceAll(' ⏎ ', '\n'), options), data);
  } catch (error) {
    if (error instanceof ExpressionError) return { refused: error.message };
    throw error;
  }
}

function expectedOf({ sign, expected }: Example) {
  if (sign === '!!') return { refused: expected };
  return expected === 'undefined' ? undefined : JSON.parse(expected);
}

describe('the page on expressions', () => {
  it.each(examples)('states the value of $source', (example) => {
    expect(outcomeOf(example)).toEqual(expectedOf(example));
  });

  it('shows every function', () => {
    const called = [...functionNames.keys()].filter((name) =>
      examples.some(({ sign, source }) => sign === '=>' && source.includes(`${name}(`)),
    );
    expect(called).toEqual([...functionNames.keys()]);
  });

  it('states every limit', () => {
    const stated = new Set(
      [...page.matchAll(/^\|.*\| ([\d,]+) \|$/gm)].map(([, number]) => number),
    );
    const shown = Object.values(expressionLimits).map((limit) => limit.toLocaleString('en-US'));
    expect(stated).toEqual(new Set(shown));
  });
});
