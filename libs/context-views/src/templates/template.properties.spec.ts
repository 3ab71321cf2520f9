import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';
import { jsonObject, jsonValue } from '#testing';

import { type NamedValue, type TemplateData } from './data.js';
import { renderTemplate } from './renderer.js';
import { TemplateError } from './template.error.js';
import { parseTemplate } from './template.parser.js';

const names = ['a', 'b', '__proto__', 'constructor', 'toString', 'length', '0'];
const piece = fc.oneof(
  fc.constantFrom(
    '{{',
    '}}',
    '{{#if ',
    '{{#each ',
    '{{else}}',
    '{{/if}}',
    '{{/each}}',
    '{{!',
    '--}}',
  ),
  fc.constantFrom(
    '../',
    '..',
    'this',
    '@key',
    '@index',
    'lookup ',
    '.',
    '["',
    '"]',
    '[0]',
    '\\',
    '`',
  ),
  fc.constantFrom(...names, ' ', '\n', '\r\n', '\u0000', '\ud800', '😀'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const anySource = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

/** Valid templates over these names. */
function sourceOver(
  roots: readonly string[],
  { looksUp }: Readonly<{ looksUp: boolean }> = { looksUp: true },
): fc.Arbitrary<string> {
  const path = fc
    .tuple(fc.constantFrom(...roots), fc.array(fc.constantFrom(...names), { maxLength: 2 }))
    .map(([root, rest]) => [root, ...rest].join('.'));
  return fc.letrec<{ parts: string }>((tie) => {
    const inner = tie('parts');
    const block = fc.tuple(path, inner, inner);
    const part = fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('text', ' ', '\n', '```\n', '> '),
      path.map((name) => `{{${name}}}`),
      fc
        .tuple(path, path)
        .map(([one, two]) => (looksUp ? `{{lookup ${one} ${two}}}` : `{{${two}}}`)),
      fc
        .tuple(path, fc.constantFrom('', ', ', '\n- ', ' | '))
        .map(([name, separator]) => `{{#each ${name}}}${separator}{{this}}{{@key}}{{/each}}`),
      block.map(([name, yes, no]) => `{{#if ${name}}}${yes}{{else}}${no}{{/if}}`),
      block.map(
        ([name, one, none]) => `{{#each ${name}}}${one}{{this}}{{@key}}{{else}}${none}{{/each}}`,
      ),
    );
    return { parts: fc.array(part, { maxLength: 5 }).map((parts) => parts.join('')) };
  }).parts;
}

const goodSource = sourceOver(['a', 'b', '__proto__']);

/** Texts that agents could write to escape from their quotation. */
const hostile = fc.oneof(
  fc
    .array(fc.constantFrom('`', '```', '\n', '{{a}}', '{{#each a}}', 'x', ' ', '\r', '\u2028'), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => `MARK ${parts.join('')}`),
  fc.constant('MARK {{b}}'),
);
const hostileValue = treeOf(hostile);
const storedValue = treeOf(
  fc.oneof(hostile, fc.string(), fc.integer(), fc.boolean(), fc.constantFrom('word', null)),
);

function treeOf(leaf: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...names), hostile), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
}

/** The same shape with other texts of the same lengths. */
function disguised(value: JsonValue): JsonValue {
  if (typeof value === 'string') return 'x y'.repeat(value.length).slice(0, value.length);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(disguised);
  return Object.fromEntries(
    Object.entries(value).map(([name, member], at) => [
      names.includes(name) ? name : `MARK${at}`,
      disguised(member),
    ]),
  );
}

/** The text without its fences and code spans, and without the white space that sets them apart. */
function outsideOfQuotations(text: string): string {
  return outsideOfFences(text)
    .replaceAll(/`[\w.-]{1,64}`/g, '')
    .replaceAll(/\s/g, '');
}

function dataOf(values: Readonly<Record<string, JsonValue>>, isOwn: boolean): TemplateData {
  return new Map(
    Object.entries(values).map(([name, value]): [string, NamedValue] => [name, { value, isOwn }]),
  );
}

/** The text without its fences; throws if a fence is not closed. */
function outsideOfFences(text: string): string {
  const outside: string[] = [];
  const lines = text.split('\n')[Symbol.iterator]();
  for (const line of lines) {
    const fence = /^(`{3,})(?:text|json) source=/.exec(line)?.[1];
    if (fence === undefined) outside.push(line);
    else if (!closes(lines, fence)) throw new Error(`a fence is not closed: ${text}`);
  }
  return outside.join('\n');
}

function closes(lines: Iterator<string>, fence: string): boolean {
  for (let line = lines.next(); !line.done; line = lines.next())
    if (line.value.startsWith(fence)) return line.value.replace('\r', '') === fence;
  return false;
}

/** How many characters are searched while the work is done. */
function charactersSearched(work: () => unknown): number {
  const indexOf = String.prototype.indexOf;
  let searched = 0;
  String.prototype.indexOf = function (this: string, text: string, from = 0) {
    const found = indexOf.call(this, text, from);
    searched += (found === -1 ? this.length : found + text.length) - Math.min(from, this.length);
    return found;
  };
  try {
    work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
  } finally {
    String.prototype.indexOf = indexOf;
  }
  return searched;
}

describe('templates', () => {
  it('are searched a few times at most, even if the same text is repeated often', () => {
    expect(charactersSearched(() => parseTemplate('x'.repeat(100)))).toBe(100);
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.nat(3_000),
        (pieces, times) => {
          const source = pieces.join('').repeat(times);
          const searched = charactersSearched(() => parseTemplate(source));
          // Once for tags and their ends, and once more for the line of a mistake.
          expect(searched).toBeLessThanOrEqual(3 * source.length + 100);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are parsed or refused with their position, for any source', () => {
    fc.assert(
      fc.property(anySource, jsonObject, fc.boolean(), (source, values, isOwn) => {
        try {
          const text = renderTemplate(parseTemplate(source), dataOf({ ...values }, isOwn));
          expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error;
          const lines = source.split('\n');
          expect(error.line).toBeLessThanOrEqual(lines.length);
          expect(error.column).toBeLessThanOrEqual((lines[error.line - 1] ?? '').length + 1);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('render any data, and the same way each time', () => {
    fc.assert(
      fc.property(goodSource, jsonValue, jsonValue, fc.boolean(), (source, a, b, isOwn) => {
        const template = parseTemplate(source);
        const data = dataOf({ a, b }, isOwn);
        expect(renderTemplate(template, data)).toBe(renderTemplate(template, data));
      }),
    );
  });

  it('are the same after they were stored as JSON', () => {
    fc.assert(
      fc.property(goodSource, jsonValue, (source, a) => {
        const template = parseTemplate(source);
        const copied = JSON.parse(JSON.stringify(template));
        expect(renderTemplate(copied, dataOf({ a }, false))).toBe(
          renderTemplate(template, dataOf({ a }, false)),
        );
      }),
    );
  });

  it('never render the text of a value again', () => {
    fc.assert(
      fc.property(sourceOver(['a', 'constructor']), hostileValue, (source, a) => {
        const template = parseTemplate(source);
        const data = { a, b: 'SECRET' };
        expect(renderTemplate(template, dataOf(data, false))).not.toContain('SECRET');
        // A value with other characters instead of braces renders the same way.
        const harmless: JsonValue = JSON.parse(JSON.stringify(a).replaceAll('{{', '(('));
        expect(renderTemplate(template, dataOf(data, true)).replaceAll('{{', '((')).toBe(
          renderTemplate(template, dataOf({ ...data, a: harmless }, true)),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('keep every text of others within its fence', () => {
    fc.assert(
      fc.property(goodSource, hostileValue, hostileValue, (source, a, b) => {
        const text = renderTemplate(parseTemplate(source), dataOf({ a, b }, false));
        expect(outsideOfFences(text)).not.toContain('MARK');
      }),
      { numRuns: 1_000 },
    );
  });

  it('are the same outside of fences and code spans, for any texts of others', () => {
    fc.assert(
      fc.property(
        sourceOver(['a', 'b', '__proto__'], { looksUp: false }),
        storedValue,
        storedValue,
        (source, a, b) => {
          const template = parseTemplate(source);
          const text = renderTemplate(template, dataOf({ a, b }, false));
          const other = { a: disguised(a), b: disguised(b) };
          expect(outsideOfQuotations(text)).toBe(
            outsideOfQuotations(renderTemplate(template, dataOf(other, false))),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
