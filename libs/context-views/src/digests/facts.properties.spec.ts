import fc from 'fast-check';

import { decodeEscapes } from './decode-escapes.js';
import { digestOf } from './digest.js';
import { factsOf } from './facts.js';
import { lineOf } from './line.js';
import { Reading } from './read-value.js';
import { segmentStart } from './clipped-text.js';

const names = ['total_rows', 'parseRow', 'src/a/b.ts', '/var/log/app', 'README.md', 'ENOENT'];
const name = fc.constantFrom(...names);
/** Escapes and tags that programs print between words. */
const printed = fc.constantFrom(
  String.raw`\n`,
  String.raw`\t`,
  String.raw`\r\n`,
  String.raw`\\n`,
  String.raw`\"`,
  String.raw`\u001b[31m`,
  String.raw`\x1b[0m`,
  String.raw`\u2019`,
  '&quot;',
  '&#39;',
  '&lt;',
  '</role>',
  '<br/>',
  '<end_of_turn/>',
  String.raw`\alpha `,
  String.raw`\d+ `,
  ' ',
);
/** Separators. Next to any other character, a name would be part of a longer word. */
const separator = fc.constantFrom(
  ' ',
  String.raw`\n`,
  String.raw`\"`,
  '&quot;',
  '"',
  '`',
  '\n',
  String.raw`\u2014`,
  String.raw`\u003c`,
  String.raw`\u{2014}`,
  String.raw`\u{3c}`,
  '—',
  '“',
  '”',
  '„',
  '‘',
  '’',
  '«',
  '»',
);
const texts = fc
  .array(fc.tuple(separator, name, separator, fc.array(printed, { maxLength: 3 })), {
    maxLength: 12,
  })
  .map((parts) =>
    parts.map(([before, word, after, rest]) => [before, word, after, ...rest].join('')).join(''),
  );

const found = (text: string) => {
  const { paths, identifiers, errors, urls } = factsOf(text);
  return [...paths, ...identifiers, ...errors, ...urls];
};

describe('the facts of a text that contains printed texts', () => {
  it('are exactly the names in the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const contained = names.filter((each) => text.includes(each));
        expect(found(text).toSorted()).toEqual(contained.toSorted());
      }),
    );
  });

  it('are the same after the text was printed as JSON several times', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 3 }), (text, times) => {
        const shown = Array.from({ length: times }).reduce<string>(
          (inner) => JSON.stringify({ log: inner }).slice(1),
          text,
        );
        expect(new Set(found(shown))).toEqual(new Set(found(text)));
      }),
    );
  });

  it('occur in the value, for any value', () => {
    const pieces = fc.array(fc.oneof(fc.string({ unit: 'binary' }), name, printed), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const decoded = decodeEscapes(text.replaceAll(/\s+/g, ' '));
        for (const fact of found(text)) expect(`${text}\n${decoded}`).toContain(fact);
      }),
    );
  });

  it.each([
    ['a path on Windows', String.raw`C:\new_dir\temp_file.py`, ['new_dir', 'temp_file.py']],
    ['commands of TeX', String.raw`\text_1{a} \sum_1 \nabla_x{b}`, []],
    ['a regular expression', String.raw`/\bfoo_bar\b/`, []],
    ['numbers with what follows in another line or column', String.raw`exit 12\nlines, 35,ms`, []],
    ['digits after the four of an escape', String.raw`\u2014based_on`, ['based_on']],
    ['closing tags', '</ROLE> <a_b/> &lt;/DIV_X&gt; <\\/ROLE>', []],
  ])('include no fragments of %s', (_, text, facts) => {
    const { paths, identifiers, numbers } = factsOf(text);
    expect([...identifiers, ...paths, ...numbers]).toEqual(facts);
  });

  it('are at least as many in a digest as in the beginning and the end of the text, and in a line as in its beginning', () => {
    const words = fc.array(fc.oneof(name, fc.lorem(), fc.constant('\n')), { maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 20, max: 400 }), (parts, room) => {
        const text = parts.join(' ');
        const read = Reading.of(text);
        expect(digestOf(text, room).length).toBeLessThanOrEqual(room);
        expect(read.countFacts(digestOf(text, room))).toBeGreaterThanOrEqual(
          read.countFacts(segmentStart(read.ends(room), room)),
        );
        expect(read.countFacts(lineOf(text, room))).toBeGreaterThanOrEqual(
          read.countFacts(segmentStart(read.start(room), room)),
        );
      }),
      { examples: [[['/var/log/app', 'lorem ipsum dolor sit amet '.repeat(5), 'README.md'], 158]] },
    );
  });

  const repeated: readonly (readonly [start: string, part: string])[] = [
    ...['\\', '\\n', '\\u', '&#1;', '<a/>', 'C:\\', '|', '|a', '| ', '@', '-', ':', '#', '='].map(
      (part) => ['', part] as const,
    ),
    ...['0', '0 ', '10 s ', '0,', ' ', '.', '*', '…', '. ', '{', '[', 'A', '_', 'aA'].map(
      (part) => ['', part] as const,
    ),
    ['|', 'a'] as const,
    ['**', 'a'] as const,
    ['== a', '='] as const,
    ['\\n', 'a'] as const,
    ['# status', '-'] as const,
    ['[1', ';1'] as const,
    ['a:', '/'] as const,
  ];

  it.each(repeated)('are computed in linear time: %j and %j repeated', (start, part) => {
    const text = start + part.repeat(400_000 / part.length);
    const from = process.cpuUsage().user;
    expect(digestOf(text, 500).length).toBeLessThanOrEqual(500);
    expect(lineOf(text, 120).length).toBeLessThanOrEqual(120);
    // In microseconds. Quadratic time would take minutes.
    expect(process.cpuUsage().user - from).toBeLessThan(10_000_000);
  });
});
