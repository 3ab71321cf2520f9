import fc from 'fast-check';

import { parseSignals } from './parse-signals.js';
import { signalForms } from './signal.forms.js';

const of = (signal: string, subject: string, detail?: object) =>
  detail === undefined ? { signal, subject } : { signal, subject, detail };
const complete = of('IMPLEMENTATION COMPLETE', 'story-42-1');

describe('parsing signals', () => {
  it.each([
    ['KICKOFF COMPLETE: story-42-1', of('KICKOFF COMPLETE', 'story-42-1')],
    ['IMPLEMENTATION COMPLETE: story-42-1', complete],
    [
      'IMPLEMENTATION BLOCKED: story-42-1 - Cannot resolve circular dependency - between A and B',
      of('IMPLEMENTATION BLOCKED', 'story-42-1', {
        reason: 'Cannot resolve circular dependency - between A and B',
      }),
    ],
    ['REVIEW PASSED: story-42-1', of('REVIEW PASSED', 'story-42-1')],
    [
      'REVIEW PASSED WITH FIXES: story-42-1 - Fixed 3 issues',
      of('REVIEW PASSED WITH FIXES', 'story-42-1', { fixes: 3 }),
    ],
    [
      'REVIEW FAILED: story-42-1 - 2 critical issues remain',
      of('REVIEW FAILED', 'story-42-1', { reason: '2 critical issues remain' }),
    ],
    [
      'ANALYSIS COMPLETE: story-42-1 - Retry',
      of('ANALYSIS COMPLETE', 'story-42-1', { recommendation: 'Retry' }),
    ],
    [
      'ANALYSIS COMPLETE: story-42-1 - Skip',
      of('ANALYSIS COMPLETE', 'story-42-1', { recommendation: 'Skip' }),
    ],
    [
      'ANALYSIS COMPLETE: story-42-1 - Escalate',
      of('ANALYSIS COMPLETE', 'story-42-1', { recommendation: 'Escalate' }),
    ],
    ['RETRO COMPLETE: Epic 42', of('RETRO COMPLETE', '42')],
    ['RETRO COMPLETE: epic **42**', of('RETRO COMPLETE', '42')],
    ['RETRO COMPLETE: epic-42', of('RETRO COMPLETE', 'epic-42')],
  ])('finds %s', (line, signal) => {
    expect(parseSignals(line)).toEqual([signal]);
    expect(parseSignals(`All tests pass.\r\n\r\n${line}\r\n`)).toEqual([signal]);
    expect(parseSignals(`\u001b[32m${line}\u001b[0m`)).toEqual([signal]);
  });

  it.each([
    '**IMPLEMENTATION COMPLETE: story-42-1**',
    '**IMPLEMENTATION COMPLETE:** story-42-1',
    '**IMPLEMENTATION COMPLETE**: story-42-1.',
    'IMPLEMENTATION COMPLETE: **story-42-1**!',
    '_IMPLEMENTATION COMPLETE: story-42-1_',
    '`IMPLEMENTATION COMPLETE: story-42-1`',
    'IMPLEMENTATION COMPLETE: `story-42-1`',
    '```IMPLEMENTATION COMPLETE: story-42-1```',
    '## IMPLEMENTATION COMPLETE: story-42-1 ##',
    '- IMPLEMENTATION COMPLETE: story-42-1',
    '* **IMPLEMENTATION COMPLETE**: `story-42-1`',
    '3. IMPLEMENTATION COMPLETE: story-42-1',
    '• IMPLEMENTATION COMPLETE: story-42-1',
    '- [x] IMPLEMENTATION COMPLETE: story-42-1',
    '✅ **IMPLEMENTATION COMPLETE: story-42-1** 🎉',
    '🏗️ IMPLEMENTATION COMPLETE: story-42-1',
    '=== IMPLEMENTATION COMPLETE: story-42-1 ===',
    '\t    IMPLEMENTATION COMPLETE:story-42-1   ',
  ])('ignores the decoration of %s', (line) => {
    expect(parseSignals(line)).toEqual([complete]);
  });

  it.each([
    ['**REVIEW FAILED: s-1 - `UserService` leaks**', '`UserService` leaks'],
    ['**REVIEW FAILED:** s-1 - see **README**', 'see **README**'],
    ['* REVIEW FAILED: s-1 - see **README**', 'see **README**'],
    ['**REVIEW FAILED: s-1** - it leaks', 'it leaks'],
    ['❌ REVIEW FAILED: `s-1` — it leaks', 'it leaks'],
    ['_REVIEW FAILED: s-1 – it leaks_', 'it leaks'],
    ['`REVIEW FAILED: s-1 -- it leaks`', 'it leaks'],
  ])('preserves the text of a reason: %s', (line, reason) => {
    expect(parseSignals(line)).toEqual([of('REVIEW FAILED', 's-1', { reason })]);
  });

  it.each([
    ['REVIEW PASSED WITH FIXES: s-1 - **Fixed 1 issue.**', { fixes: 1 }],
    ['REVIEW PASSED WITH FIXES: s-1 - Fixed 4 issues (1 high, 3 low)', { fixes: 4 }],
    ['**REVIEW PASSED WITH FIXES: s-1 - Fixed 0 issues**', { fixes: 0 }],
    ['REVIEW PASSED WITH FIXES: s-1 - Fixed 2 medium severity issues', { fixes: 2 }],
    ['ANALYSIS COMPLETE: s-1 - **Escalate**', { recommendation: 'Escalate' }],
    ['ANALYSIS COMPLETE: s-1 - retry (the network was away)', { recommendation: 'Retry' }],
  ])('reads the detail of %s', (line, detail) => {
    expect(parseSignals(line)).toMatchObject([{ subject: 's-1', detail }]);
  });

  it.each(['5.3', 'E5-S3', 'task_001', 'epic/42#1', 'v1.0.0-rc.1', '__proto__', 'größe-4', '42'])(
    'accepts %s as an id',
    (id) => {
      expect(parseSignals(`IMPLEMENTATION COMPLETE: ${id}.`)).toEqual([
        of('IMPLEMENTATION COMPLETE', id),
      ]);
      expect(parseSignals(`REVIEW FAILED: ${id} - leaks`)).toEqual([
        of('REVIEW FAILED', id, { reason: 'leaks' }),
      ]);
    },
  );

  it('finds a signal without its detail', () => {
    expect(
      parseSignals(
        'IMPLEMENTATION BLOCKED: a\nREVIEW FAILED: b\nREVIEW PASSED WITH FIXES: c\nANALYSIS COMPLETE: d',
      ),
    ).toEqual([
      of('IMPLEMENTATION BLOCKED', 'a'),
      of('REVIEW FAILED', 'b'),
      of('REVIEW PASSED WITH FIXES', 'c'),
      of('ANALYSIS COMPLETE', 'd'),
    ]);
  });

  it('finds several signals in their order, and repeated ones once', () => {
    const text = [
      '# Summary',
      'IMPLEMENTATION BLOCKED: s-1 - no schema',
      'IMPLEMENTATION BLOCKED: s-1 - no schema',
      'REVIEW PASSED: s-2',
      'Then the schema came.',
      '**IMPLEMENTATION COMPLETE: s-1**',
      'IMPLEMENTATION COMPLETE: s-1',
      'IMPLEMENTATION BLOCKED: s-1 - no schema',
    ].join('\n');
    expect(parseSignals(text).map(({ signal, subject }) => `${signal} ${subject}`)).toEqual([
      'IMPLEMENTATION BLOCKED s-1',
      'REVIEW PASSED s-2',
      'IMPLEMENTATION COMPLETE s-1',
      'IMPLEMENTATION BLOCKED s-1',
    ]);
  });

  it.each([
    ['a mention in prose', 'I print IMPLEMENTATION COMPLETE: story-42-1 when I am done.'],
    ['prose after the id', 'IMPLEMENTATION COMPLETE: story-42-1 will follow'],
    ['a condition', 'IMPLEMENTATION COMPLETE: story-42-1, as soon as the tests pass'],
    ['a denial', 'NOT IMPLEMENTATION COMPLETE: story-42-1'],
    ['a denial after it', 'IMPLEMENTATION COMPLETE: story-42-1 - not yet'],
    ['a status report with the words of a signal', '- **IMPLEMENTATION COMPLETE**: No'],
    ['a cross before it', '❌ IMPLEMENTATION COMPLETE: story-42-1'],
    ['an open box', '- [ ] IMPLEMENTATION COMPLETE: story-42-1'],
    ['struck text', '~~IMPLEMENTATION COMPLETE: story-42-1~~'],
    ['a question', 'IMPLEMENTATION COMPLETE: story-42-1?'],
    ['a quotation', '"IMPLEMENTATION COMPLETE: story-42-1"'],
    ['a block quote', '> IMPLEMENTATION COMPLETE: story-42-1'],
    ['code', '```text\nIMPLEMENTATION COMPLETE: story-42-1\n```'],
    ['code in tildes', '~~~\n```\nIMPLEMENTATION COMPLETE: story-42-1\n```\n~~~'],
    ['code that never ends', '```\nIMPLEMENTATION COMPLETE: story-42-1'],
    ['a command', 'echo "IMPLEMENTATION COMPLETE: story-42-1"'],
    ['a table', '| IMPLEMENTATION COMPLETE: story-42-1 |'],
    ['a placeholder', 'IMPLEMENTATION COMPLETE: {story_id}'],
    ['another placeholder', 'IMPLEMENTATION COMPLETE: <story-id>'],
    ['a placeholder in words', '- `IMPLEMENTATION COMPLETE: story-id`'],
    ['a placeholder of the epic', 'RETRO COMPLETE: Epic epic-id'],
    ['a placeholder of the reason', 'REVIEW FAILED: story-42-1 - {reason}'],
    ['the word reason', 'REVIEW FAILED: story-42-1 - reason'],
    ['a placeholder of the number', 'REVIEW PASSED WITH FIXES: s-1 - Fixed N issues'],
    ['two numbers', 'REVIEW PASSED WITH FIXES: s-1 - Fixed 2 high and 3 low issues'],
    ['the choice of recommendations', 'ANALYSIS COMPLETE: story-42-1 - Retry|Skip|Escalate'],
    ['two recommendations', 'ANALYSIS COMPLETE: story-42-1 - Retry or Skip'],
    ['an unknown recommendation', 'ANALYSIS COMPLETE: story-42-1 - Celebrate'],
    ['lower case', 'Implementation complete: story-42-1'],
    ['another word', 'IMPLEMENTATION COMPLETED: story-42-1'],
    ['a longer word', 'REIMPLEMENTATION COMPLETE: story-42-1'],
    ['no colon', 'IMPLEMENTATION COMPLETE story-42-1'],
    ['a line cut before the id', 'IMPLEMENTATION COMPLETE:'],
    ['a line cut before the reason', 'IMPLEMENTATION BLOCKED: story-42-1 - '],
    ['an id on the next line', 'IMPLEMENTATION COMPLETE:\nstory-42-1'],
    ['an id that is too long', `IMPLEMENTATION COMPLETE: ${'a'.repeat(257)}`],
    ['an epic that is not named', 'RETRO COMPLETE: Epic'],
  ])('ignores %s', (_, text) => {
    expect(parseSignals(text)).toEqual([]);
  });

  it('finds signals after code and quotes', () => {
    const text =
      '````md\n```\nREVIEW PASSED: a\n```\n````\n> REVIEW PASSED: b\n  ```\nx\n  ```\nREVIEW PASSED: c';
    expect(parseSignals(text)).toEqual([of('REVIEW PASSED', 'c')]);
  });

  it('finds signals of any form among other lines', () => {
    const id = fc.stringMatching(/^[A-Z]\d{1,3}([.-]\d{1,2})?$/);
    const name = fc.constantFrom(...Object.keys(signalForms));
    const other = fc.constantFrom('All good.', '', '- done', '# Review', 'see REVIEW PASSED: x');
    const signals = fc.uniqueArray(fc.tuple(name, id), { selector: ([, subject]) => subject });
    fc.assert(
      fc.property(signals, fc.array(other, { minLength: 1, maxLength: 3 }), (said, between) => {
        const text = said.map(([signal, subject]) =>
          [...between, `${signal}: ${subject}`].join('\n'),
        );
        expect(parseSignals(text.join('\n'))).toEqual(
          said.map(([signal, subject]) => of(signal, subject)),
        );
      }),
    );
  });

  it('never fails on any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('REVIEW FAILED:', ' - ', '\n', '```', '> ', '**', '\ud800', 'Epic', 'a'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        for (const { subject } of parseSignals(pieces.join(''))) expect(subject).not.toBe('');
      }),
    );
  });

  // With an expression that backtracks, these texts would take minutes.
  it.each([
    '*',
    '_',
    '`',
    '~',
    ' ',
    '\t',
    '-',
    '\n',
    '- ',
    '1. ',
    '[x] ',
    '# ',
    '✅',
    'REVIEW FAILED:',
    'REVIEW FAILED: a - ',
    'a.',
    '\u001b[',
  ])('takes time in proportion to a text that repeats %j', (piece) => {
    const many = piece.repeat(Math.ceil(200_000 / piece.length));
    const texts = ['', 'x', '`', '*x', '-x'].flatMap((end) =>
      ['', '**REVIEW FAILED: ', '~~~', 'REVIEW FAILED: a - '].map((start) => start + many + end),
    );
    for (const text of texts) expect(parseSignals(text).length).toBeLessThan(3);
  });
});
