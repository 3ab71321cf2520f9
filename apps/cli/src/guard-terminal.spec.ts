import fc from 'fast-check';

import { guardTerminal } from './guard-terminal.js';
import { paintFor } from './replay/paint.js';
import { type ChangedPart } from './replay/difference.js';
import { renderParts } from './replay/render-parts.js';
import { type Terminal } from './terminal.js';

/** A second definition, so that the test does not compare the code with itself. */
const controlCharacters =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const awkward = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '\u001b[2J',
      '\u001b[31m',
      '\u001b[0m',
      '\u001b]0;title\u0007',
      '\u009b1A',
      '\u202e',
      '\u2066',
      '\u061c',
      '\u007f',
      '\r',
      '\t',
      '\n',
      '\u2028',
      '\ud83d',
      'a',
      'é',
      '👩‍💻',
    ),
  }),
);

function recorder(colors = false) {
  const written: string[] = [];
  const push = (text: string) => void written.push(text);
  const terminal: Terminal = {
    write: push,
    warn: push,
    colors,
    readInput: () => Promise.resolve(''),
    progress: { show: push, clear: () => undefined },
    openDialogue: () => ({
      ask: (prompt) => {
        push(prompt);
        return Promise.resolve(undefined);
      },
      close: () => undefined,
    }),
  };
  return { terminal, written };
}

describe('the output of a command', () => {
  it('contains no control characters of stored text', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        const { terminal, written } = recorder();
        const guarded = guardTerminal(terminal, { json: false });
        guarded.write(text);
        guarded.warn(text);
        guarded.progress?.show(text);
        void guarded.openDialogue?.().ask(text);
        expect(written).toHaveLength(4);
        expect(written.join('')).not.toMatch(controlCharacters);
        expect(written.join('').isWellFormed()).toBe(true);
      }),
    );
  });

  it('is the same JSON value with --json, without control characters', () => {
    fc.assert(
      fc.property(fc.jsonValue(), awkward, (value, name) => {
        const { terminal, written } = recorder();
        const stored = { [name]: value, text: name };
        guardTerminal(terminal, { json: true }).write(JSON.stringify(stored));
        expect(written[0]).not.toMatch(controlCharacters);
        expect(JSON.parse(written[0] ?? '')).toEqual(JSON.parse(JSON.stringify(stored)));
      }),
    );
  });

  it('is colored by the program only', () => {
    fc.assert(
      fc.property(awkward, awkward, awkward, (part, before, after) => {
        const { terminal, written } = recorder(true);
        const changed: ChangedPart = { title: 'global', part, key: part, before, after };
        const style = { paint: paintFor(terminal), whole: true };
        guardTerminal(terminal, { json: false }).write(renderParts([changed], style));
        const [shown = ''] = written;
        expect(shown.replace(/\u001b\[(?:1|2|31|32)m([^\u001b]*)\u001b\[0m/g, '$1')).not.toMatch(
          controlCharacters,
        );
      }),
    );
  });

  it('shows the name of a part on one line', () => {
    const { terminal } = recorder();
    const key = 'a\nversion 99  DecisionApproved  by admin';
    const part: ChangedPart = {
      title: 'Preferences',
      part: 'preference',
      key,
      before: null,
      after: 1,
    };
    const lines = renderParts([part], { paint: paintFor(terminal), whole: true }).split('\n');
    expect(lines).toContain('  preference a version 99  DecisionApproved  by admin');
  });

  it('keeps lines and compound emoji, and shows tabs as spaces', () => {
    const { terminal, written } = recorder();
    guardTerminal(terminal, { json: false }).write('a\n\tb 👩‍💻');
    expect(written).toEqual(['a\n    b 👩‍💻']);
  });
});
