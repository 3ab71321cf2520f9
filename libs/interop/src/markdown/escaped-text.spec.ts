import fc from 'fast-check';

import { referenced, referencedIf, unreferenced } from './character-reference.js';
import {
  endsInCode,
  escapedLines,
  escapedText,
  unescapedLines,
  unescapedText,
} from './escaped-text.js';
import { markdownLines } from './markdown-lines.js';

const texts = fc
  .array(fc.constantFrom('#', ' ', '\n', '```', '~~~', '-', '===', 'a', '\\', '|', '- ', '\r\n'))
  .map((parts) => parts.join(''));
const headings = (text: string) => markdownLines(text).filter(({ heading }) => heading);

describe('escapedText', () => {
  it('leaves code, and headings that begin no section, unchanged', () => {
    const text = '```sh\n# a\n```\n#### b';
    expect(escapedText(`${text}\n## c`, ({ level }) => level < 4)).toBe(`${text}\n\\## c`);
  });

  it('leaves neither headings nor open code, and can be reversed', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = escapedText(text, () => true);
        expect(headings(escaped)).toEqual([]);
        expect(endsInCode(escaped)).toBe(false);
        expect(unescapedText(escaped)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('escapedLines', () => {
  it('leaves no heading after any indentation, and can be reversed', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = escapedLines(text);
        expect(headings(escaped)).toEqual([]);
        expect(unescapedLines(escaped)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a character reference', () => {
  it('hides words that have a meaning, and can be reversed', () => {
    expect(referenced('File List')).toBe('&#70;ile List');
    const parts = fc.array(fc.constantFrom('&#', '38', ';', 'a', ' ', '😀', '&#55296;'));
    fc.assert(
      fc.property(parts, fc.boolean(), (all, isNeeded) => {
        const text = all.join('');
        expect(unreferenced(referencedIf(isNeeded, text))).toBe(text);
      }),
    );
  });
});
