import { factsShownIn } from './fact-lists.js';
import { factsOf } from './facts.js';

describe('the facts of a text', () => {
  const found = (text: string) => {
    const { paths, urls, identifiers, numbers, errors } = factsOf(text);
    return { paths, urls, identifiers, numbers, errors };
  };
  const none = { paths: [], urls: [], identifiers: [], numbers: [], errors: [] };

  it.each([
    [
      'src/a/b.ts, ./run.sh, README.md:12 and /var/log/app',
      ['src/a/b.ts', './run.sh', 'README.md', '/var/log/app'],
    ],
    ['(.gitignore) `@scope/pkg-1` ~/.config/x', ['.gitignore', '@scope/pkg-1', '~/.config/x']],
  ])('are paths in %j', (text, paths) => expect(found(text)).toEqual({ ...none, paths }));

  it.each([
    [
      'parseRow calls _private_one, MAX_SIZE and Row.cells.',
      ['parseRow', '_private_one', 'MAX_SIZE', 'Row.cells'],
    ],
    [
      'DEC-014, story-42-1, gt2x9 and `kebab-name` but not well-known',
      ['DEC-014', 'story-42-1', 'gt2x9', 'kebab-name'],
    ],
  ])('are identifiers in %j', (text, identifiers) =>
    expect(found(text)).toEqual({ ...none, identifiers }),
  );

  it.each([
    [
      'took 35 ms for 1,204 rows at $9.50, 93% on 2026-02-03',
      ['35 ms', '1,204 rows', '$9.50', '93%', '2026-02-03'],
    ],
    ['1. and 2. are ordinals, 10/10 and 7 too, and the 3rd', []],
    ['3. Tests of 1475: errors, [match], 12 tests', ['1475', '12 tests']],
    ['-4.5% and +120 have signs, but `kill -9` is none', ['-4.5%', '+120']],
    [
      'curl -m 10 -s, sleep 120 -m, 130 ~files, 140 :lines, 150 --rows',
      ['120', '130', '140', '150'],
    ],
    ['~12 files. -3 tests! (14 rows) 15 steps', ['12 files', '-3 tests', '14 rows', '15 steps']],
    ["of 1 000 000 or 1'000, of 10-20% and 12:30 nothing is a number alone", []],
  ])('are numbers in %j', (text, numbers) => expect(found(text)).toEqual({ ...none, numbers }));

  it.each([
    ['patterns', 'src/**/x_1.ts, `opencode*.test.ts`, /api/{user_id}/items'],
    ['variables', '${HOME}/bin and $(pwd)/lib'],
    ['colors without their first character', '[31mFAILED[0m'],
    ['positions of a patch', '@@ -317,0 +3181 @@'],
    ['marks of findings', 'H1, M2 and L3'],
  ])('do not include parts of %s', (_, text) => {
    const whole = ['src/', '/api/', 'user_id'];
    const facts = Object.values(found(text)).flat();
    expect(facts.filter((fact) => !whole.includes(fact))).toEqual([]);
  });

  it('include names of errors', () => {
    expect(found('TypeError: x; then ENOENT, a.b.ReadTimeoutError; an error')).toEqual({
      ...none,
      errors: ['TypeError', 'ENOENT', 'a.b.ReadTimeoutError'],
    });
  });

  it('include addresses', () => {
    expect(found('see https://example.com/a?b, or (http://x.y/#z).').urls).toEqual([
      'https://example.com/a?b',
      'http://x.y/#z',
    ]);
  });

  it('include lines with verdicts, and headings', () => {
    const { verdicts, headings } = factsOf(
      '# A\n\nGate: PASS\n\n## Decision\n\nUse queues.\n\n## B\n',
    );
    expect(verdicts).toEqual(['Gate: PASS', 'Use queues.']);
    expect(headings).toEqual(['# A', '## Decision', '## B']);
  });

  it('are listed once each, in order of appearance, and bounded', () => {
    expect(found('b.ts a.ts b.ts').paths).toEqual(['b.ts', 'a.ts']);
    const many = Array.from({ length: 5_000 }, (_, n) => `file-${n}.ts`).join('\n');
    expect(found(many).paths).toHaveLength(512);
  });

  it('do not include keys of a structured value', () => {
    expect(found('').identifiers).toEqual([]);
    expect(factsOf({ someKey: 'some_value' }).identifiers).toEqual(['some_value']);
  });
});

describe('the facts that a text shows', () => {
  it('are the facts of each of its lines', () => {
    expect([...factsShownIn('rows: 120\nfiles are read\na.ts')].toSorted()).toEqual([
      '120',
      'a.ts',
      'ts',
    ]);
    expect(factsShownIn('@@ -1 +1 @@\nsrc/a.ts and parse_row')).toContain('parse_row');
  });
});
