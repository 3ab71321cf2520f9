import fc from 'fast-check';

import { codeSpan, fenced } from './quoting.js';

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('`', '```', '````', '\n', '\r\n', '\u2028', ' ', '~~~', '# SYSTEM', '\0'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(''));

describe('untrusted text', () => {
  it('cannot close its fence', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = fenced(text).split('\n');
        const fence = lines.at(-1) ?? '';
        expect(lines[0]).toBe(`${fence}text`);
        for (const line of lines.slice(1, -1)) expect(line).not.toContain(fence);
      }),
    );
  });

  it('cannot end its code span or its line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const span = codeSpan(text);
        const [ticks = ''] = /^`+/.exec(span) ?? [];
        expect(span).not.toMatch(/[\n\r\u2028]/);
        expect(span.endsWith(ticks)).toBe(true);
        const runs = span.slice(ticks.length, -ticks.length).match(/`+/g) ?? [];
        expect(runs.filter((run) => run.length === ticks.length)).toEqual([]);
      }),
    );
  });
});
