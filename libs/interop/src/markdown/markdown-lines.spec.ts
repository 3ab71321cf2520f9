import fc from 'fast-check';

import { markdownLines } from './markdown-lines.js';

const headings = (text: string) =>
  markdownLines(text).flatMap(({ number, heading }) =>
    heading ? [[number, heading.level, heading.title]] : [],
  );

describe('markdownLines', () => {
  it('returns lines that together are the text', () => {
    const texts = fc.string({
      unit: fc.constantFrom('#', ' ', '\n', '\r', '`', '~', '-', 'a', '='),
    });
    fc.assert(
      fc.property(texts, (text) => {
        expect(
          markdownLines(text)
            .map((line) => line.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('finds headings of both forms', () => {
    expect(headings('# One #\ntext\nTwo\n===\r\nThree\n---\n###Four\n### C#')).toEqual([
      [1, 1, 'One'],
      [3, 1, 'Two'],
      [5, 2, 'Three'],
      [8, 3, 'C#'],
    ]);
  });

  it('finds no heading in code, below a list item or after a blank line', () => {
    expect(headings('```sh\n# no\n~~~\n# no\n```\n# yes\n- item\n---\n\n---\n~~~\n# no')).toEqual([
      [6, 1, 'yes'],
    ]);
  });

  it('finds no heading in a table whose rows begin without a bar', () => {
    const table = 'Name|Role\n-|-\nAgent|Talks\n';
    expect(headings(`${table}---\nTitle\n---\na|b\n---`)).toEqual([
      [5, 2, 'Title'],
      [7, 2, 'a|b'],
    ]);
  });

  it('ends code only at a fence of the same mark and at least its length', () => {
    expect(headings('````\n# no\n```\n# no\n```` x\n# no\n`````\n# yes')).toEqual([[8, 1, 'yes']]);
  });
});
