import fc from 'fast-check';

import { compilePattern } from './pattern-program.js';
import { matchesPattern } from './pattern-search.js';
import { PatternError } from './pattern.error.js';

const maxSize = 10_000;

/** Whether the pattern matches, the number of steps, and the number of pauses for other work. */
function search(source: string, text: string) {
  let spent = 0;
  let pauses = 0;
  const steps = matchesPattern(compilePattern(source, maxSize), text, (taken) => (spent += taken));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { isMatch: value, spent, pauses };
    pauses++;
  }
}

/** V8 would also search from the middle of a surrogate pair, which is not a position in the specification. */
function isFound(sticky: RegExp, text: string): boolean {
  const starts = Array.from(text).reduce((at, one) => [...at, (at.at(-1) ?? 0) + one.length], [0]);
  return starts.some((at) => {
    sticky.lastIndex = at;
    return sticky.test(text);
  });
}

const reasonOf = (source: string, size = maxSize) => {
  try {
    compilePattern(source, size);
  } catch (error) {
    if (error instanceof PatternError) return error.reason;
    throw error;
  }
  return undefined;
};

describe('a pattern', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '-',
    '.',
    '[ab]',
    '[^a]',
    '\\d',
    '\\w',
    '\\W',
    '\\s',
    '🦉',
    '\\u{1F989}',
    '\\p{L}',
    '\\.',
    '[\\d-]',
    '\\x61',
    '\\ud83e\\udd89',
    '[🦉b]',
  );
  const edge = fc.constantFrom('^', '$', '\\b', '\\B');
  const counted = fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,2}', '{0,1}?', '{2,}');
  const { part } = fc.letrec<{ part: string }>((tie) => ({
    part: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      atom,
      edge,
      fc.tuple(tie('part'), tie('part')).map((parts) => parts.join('')),
      fc.tuple(tie('part'), tie('part')).map((options) => `(?:${options.join('|')})`),
      fc.tuple(tie('part'), counted).map(([one, sign]) => `(${one})${sign}`),
      fc
        .tuple(fc.constantFrom('?=', '?!', '?<=', '?<!', '?<name>', ''), tie('part'))
        .map(([sign, one]) => `(${sign}${one})`),
    ),
  }));
  const text = fc
    .array(fc.constantFrom('a', 'b', '-', '1', '_', ' ', '🦉', 'é', '\n', '.'), { maxLength: 8 })
    .map((characters) => characters.join(''));

  it('matches the same texts as in JavaScript', () => {
    let [matching, other] = [0, 0];
    fc.assert(
      fc.property(part, fc.array(text, { minLength: 4, maxLength: 4 }), (source, texts) => {
        // Names of groups have to be different, and there are limits.
        const unnamed = source.replaceAll('?<name>', '');
        fc.pre((unnamed.match(/\(\?<?[=!]/g) ?? []).length <= 16);
        const theirs = new RegExp(unnamed, 'uy');
        for (const one of texts) {
          const isMatch = isFound(theirs, one);
          if (isMatch) matching++;
          else other++;
          expect([unnamed, one, search(unnamed, one).isMatch]).toEqual([unnamed, one, isMatch]);
        }
      }),
      { numRuns: 4_000 },
    );
    expect(Math.min(matching, other) / (matching + other)).toBeGreaterThan(1_000 / 16_000);
  });

  it.each([
    ['^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$', '1.5', true],
    ['^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$', '-.', false],
    ['^[a\\-z\\_\\@]+\\-\\@$', 'z_@-@', true],
    ['^{a}]$', '{a}]', true],
    ['(?<year>\\d{4})-(?<month>\\d\\d)', 'on 2026-11-23', true],
    ['^\\u00e9\\/$', 'é/', true],
    ['', '', true],
    ['a|', '', true],
    ['^$', 'a', false],
    ['^[\\w-\\.]+$', 'a-b.c', true],
    ['^[\\w-\\.]+$', 'a+b', false],
    ['^[+-\\d\\p{L}-_]$', '-', true],
    ['^[+-\\d\\p{L}-_]$', ',', false],
    ['(?=a)*', 'b', true],
  ])('%j in %j: %j', (source, one, isMatch) => expect(search(source, one).isMatch).toBe(isMatch));

  it.each<[string, RegExp]>([
    ['(a', /"\(" without a "\)"/],
    ['a)', /"\)" without a "\("/],
    ['[a', /"\[" without a "\]"/],
    ['*a', /"\*" with nothing to repeat/],
    ...['{2}', 'x|{2}', '(?={2})', '^a{2}{3}$'].map((source): [string, RegExp] => [
      source,
      /"\{" with nothing to repeat/,
    ]),
    ...['^*a', '$+', '\\b?', '(?<=a)+b', '(?<!a){2}'].map((source): [string, RegExp] => [
      source,
      /which cannot repeat: leave it out/,
    ]),
    ['a\\', /ends with a backslash/],
    ['(a)\\1', /refers back to a group: write/],
    ['(?<n>a)\\k<n>', /refers back to a group/],
    ['(?i:a)', /group with flags/],
    ['(?P<n>a)', /group with flags, or one that JavaScript does not know/],
    ['\\Aa\\Z', /\\A, which regular expressions of JavaScript do not know/],
    ['[b-a]', /\[b-a\], which/],
    ['\\p{Nothing}', /\\p\{Nothing\}, which/],
    ['a{2,1}', /at least 2 and at most 1/],
    ['(?:a{1000}){1000}', /too large/],
    ['(?:){1000000000}', /too large/],
    [`${'('.repeat(60)}${')'.repeat(60)}`, /more than 50 deep/],
    ['(?=a)'.repeat(17), /more than 16 lookaheads/],
  ])('%j is refused: %s', (source, reason) => expect(reasonOf(source)).toMatch(reason));

  it('counts its size with repetitions expanded', () => {
    const size = compilePattern('^[a-z]{3}$', maxSize).size;
    expect(reasonOf('^[a-z]{3}$', size)).toBeUndefined();
    expect(reasonOf('^[a-z]{3}$', size - 1)).toMatch(/too large/);
  });

  it('is parsed or refused for any text', () => {
    const pieces = fc.constantFrom(...'ab()[]{}?*+|^$.\\-,1:=!<>dbkux'.split(''));
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (given) => {
        const source = given.join('');
        if (reasonOf(source) === undefined) search(source, 'ab1-');
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['^(a+)+$'],
    ['^(a|a)*$'],
    ['^(.*a){8}$'],
    ['^(?=(a+)+$)(?!.*c)a*b?$'],
    ['(x+x+)+y'],
    ['^.{0,300}$'],
  ])('%s takes linear time on a text that does not match', (source) => {
    const of = (length: number) => search(source, `${'a'.repeat(length)}!`);
    const [one, two, three] = [of(1_000), of(2_000), of(3_000)];
    for (const { isMatch } of [one, two, three]) expect(isMatch).toBe(false);
    // The cost at both ends is constant; between them, every character costs the same.
    expect(three.spent - two.spent).toBeLessThanOrEqual(two.spent - one.spent + 2);
    expect(three.spent).toBeGreaterThan(100);
    expect(three.spent / (three.pauses + 1)).toBeLessThanOrEqual(1_200);
  });
});
