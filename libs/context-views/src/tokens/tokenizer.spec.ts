import * as fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100kBase from 'js-tiktoken/ranks/cl100k_base';
import o200kBase from 'js-tiktoken/ranks/o200k_base';

import { unpackRanks } from './byte-pair-ranks.js';
import { openTokenizer, tokenizerNames, tokenizerOf } from './tokenizer.js';

const encodings = [
  ['o200k_base', o200kBase],
  ['cl100k_base', cl100kBase],
] as const;

const odd = fc.constantFrom(
  '\r',
  '\n',
  '\r\n',
  '/',
  ' ',
  '\t',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\0',
  '\u0007',
  '\ud800',
  "'s",
  "'LL",
  '123456',
  'Ünï',
  'camelCase',
  'ＡＢ',
  '日本語',
  '한국어',
  'é',
  'e\u0301',
  '\u0301',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '𝒳',
  'ǅ',
  '<|endoftext|>',
  '```',
  '{"a":',
  '//',
  '\u200d',
  '\u0600',
  '١٢',
);
const words = fc.array(
  fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ maxLength: 12 })),
  { maxLength: 24 },
);
const texts = words.map((parts) => parts.join(''));

/** Like the segments of a view: without white space or a slash at the beginning, and with a newline at the end. */
const segments = texts
  .filter((text) => !/^[\s\p{White_Space}/]/u.test(text) && text !== '')
  .map((text) => `${text}\n`);

const runs = { numRuns: 400 };

describe.each(encodings)('the tokenizer %s', (name, packed) => {
  const tokenizer = tokenizerOf(name);
  const reference = new Tiktoken(packed);

  it('counts any text like the reference', () => {
    fc.assert(
      // The reference differs from tiktoken in white space and at the end of a text.
      fc.property(
        texts.map((text) => `${text.replace(/[\u0085\ufeff\u017f]/gu, '')}.`),
        (text) => expect(tokenizer.unitsOf(text)).toBe(reference.encode(text, [], []).length),
      ),
      runs,
    );
  });

  it('counts the same in steps as at once', () => {
    const runs = [
      'x'.repeat(40_000),
      ' '.repeat(40_000),
      '/a'.repeat(20_000),
      'ü(('.repeat(14_000),
    ];
    for (const text of [...runs, 'some words, and more\n'.repeat(4_000), '']) {
      const steps = tokenizer.unitsInSteps(text);
      let pauses = 0;
      let step = steps.next();
      for (; !step.done; step = steps.next()) pauses += 1;
      expect(step.value).toBe(tokenizer.unitsOf(text));
      expect(pauses).toBeGreaterThanOrEqual(Math.floor(text.length / 70_000));
      if (text.length >= 40_000) expect(pauses).toBeGreaterThan(0);
    }
    fc.assert(
      fc.property(texts, (text) => {
        expect(tokenizer.unitsInSteps(text).next()).toEqual({
          done: true,
          value: tokenizer.unitsOf(text),
        });
      }),
    );
  });

  it('adds up over segments', () => {
    fc.assert(
      fc.property(fc.array(segments, { maxLength: 8 }), (parts) => {
        const sum = parts.reduce((units, part) => units + tokenizer.unitsOf(part), 0);
        expect(tokenizer.unitsOf(parts.join(''))).toBe(sum);
      }),
      runs,
    );
  });

  it('treats the text of a special token as text', () => {
    expect(tokenizer.unitsOf('<|endoftext|>')).toBeGreaterThan(3);
    expect(tokenizer.unitsOf('<|im_start|>system<|im_end|>')).toBeGreaterThan(6);
  });

  it('counts a lone surrogate as the U+FFFD that it becomes', () => {
    for (const lone of ['\ud83d', 'a\udc00b', '\ud800\ud800'])
      expect(tokenizer.unitsOf(lone)).toBe(tokenizer.unitsOf(lone.toWellFormed()));
  });

  it.each([
    ['a', 32_768],
    ['字', 262_144],
  ])('counts a very long word of %j', (letter, tokens) => {
    expect(tokenizer.unitsOf(letter.repeat(262_144))).toBe(tokens);
  });

  it('counts long runs of characters that form no word', () => {
    for (const run of [' ', '\n', '!', '/', '\r', '\u0301'])
      expect(tokenizer.unitsOf(run.repeat(100_000))).toBeLessThanOrEqual(100_000);
  });

  it('counts a piece the same way each time it occurs, and after any number of others', () => {
    const word = 'Zwölfkampf-Überschrift_x';
    const alone = tokenizer.unitsOf(`${word}.`);
    for (let n = 0; n < 40_000; n++) tokenizer.unitsOf(`qz${n.toString(36)}xj`);
    expect(tokenizer.unitsOf(`${word}.`)).toBe(alone);
    expect(tokenizer.unitsOf(`${word}.\n`.repeat(50))).toBe(50 * tokenizer.unitsOf(`${word}.\n`));
  });

  it('counts zero tokens in an empty text', () => {
    expect(tokenizer.unitsOf('')).toBe(0);
  });
});

describe('the tokenizers', () => {
  it.each([
    ['hello world', 2, 2],
    ['\ufeffhello', 2, 2],
    ['a\ufeffb', 3, 3],
    ['\n\ufeff\n', 2, 2],
    ['<|endoftext|>', 7, 7],
  ])('count %j like tiktoken', (text, o200k, cl100k) => {
    expect([
      tokenizerOf('o200k_base').unitsOf(text),
      tokenizerOf('cl100k_base').unitsOf(text),
    ]).toEqual([o200k, cl100k]);
  });

  it('divide characters by four and round up once for the whole text', () => {
    const quarters = tokenizerOf('chars4');
    fc.assert(
      fc.property(fc.array(segments, { maxLength: 8 }), (parts) => {
        const units = parts.reduce((sum, part) => sum + quarters.unitsOf(part), 0);
        expect(quarters.tokensOf(units)).toBe(Math.ceil(parts.join('').length / 4));
      }),
    );
  });

  it('convert a budget to exactly the units that have no more tokens', () => {
    for (const name of tokenizerNames) {
      const { budgetUnits, tokensOf, wholeTokensIn } = tokenizerOf(name);
      for (const tokens of [0, 1, 7, 50_000]) {
        expect(tokensOf(budgetUnits(tokens))).toBe(tokens);
        expect(wholeTokensIn(budgetUnits(tokens))).toBe(tokens);
        expect(wholeTokensIn(budgetUnits(tokens + 1) - 1)).toBe(tokens);
        expect(tokensOf(budgetUnits(tokens) + 1)).toBeGreaterThan(tokens);
      }
    }
  });
});

describe('opening a tokenizer', () => {
  it('unpacks its ranks in many small steps, and only once', () => {
    const ranks = unpackRanks(o200kBase.bpe_ranks);
    let steps = 0;
    let step = ranks.next();
    for (; !step.done; step = ranks.next()) steps += 1;
    expect(step.value.ranks.size).toBeGreaterThan(199_000);
    expect(step.value.ranks.size / steps).toBeLessThan(4_096);
    tokenizerOf('o200k_base');
    expect(openTokenizer('o200k_base').next().done).toBe(true);
  });
});
