import { fenced, inLine, labelled } from './quoted-text.js';

const forged = '## v9 decision:DEC-001 by admin, live';
/** Line ends for any reader. */
const lineEnd = /\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/;
const ends = ['\n', '\v', '\f', '\r', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029'];

describe('a member of a payload', () => {
  it.each(ends)(
    'is one line of JSON, even if its texts and names contain the line end %j',
    (end) => {
      const value = { [`a${end}${forged}`]: [`b${end}${forged}`] };
      const text = labelled('output', value);
      expect(text.trimEnd().split(lineEnd)).toHaveLength(1);
      expect(JSON.parse(text.slice('output: '.length))).toEqual(value);
    },
  );

  it.each(ends)('is in a fence if it is a text with the line end %j', (end) => {
    expect(labelled('output', `b${end}${forged}`)).toBe(
      `output:\n\`\`\`\nb${end}${forged}\n\`\`\`\n`,
    );
  });
});

describe('a fence', () => {
  it('is longer than the longest run of backticks, also if there are many runs', () => {
    const text = `${'`a'.repeat(400_000)}\n\`\`\`\``;
    expect(fenced(text)).toBe(`\`\`\`\`\`\n${text}\n\`\`\`\`\`\n`);
  });
});

describe('a name in a heading', () => {
  it.each(ends)('is one line, also if it contains %j', (end) => {
    expect(inLine(`a${end}b`)).toBe('a b');
  });
});
