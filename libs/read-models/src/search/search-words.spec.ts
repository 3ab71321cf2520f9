import fc from 'fast-check';

import { runAtOnce } from '#slices';

import { WordQueryError, parseWordQuery } from './search-words.js';
import { wordVectors } from './word-vectors.js';
import { wordsOf } from './words.js';

const vectorsOf = (texts: Iterable<string>) => runAtOnce(wordVectors(texts));

describe('wordsOf', () => {
  it('returns runs of letters and digits in lower case', () => {
    expect(wordsOf('src/db/Schema.ts — agent_id, Café\u0000ﬁn "v2.1"')).toEqual([
      'src',
      'db',
      'schema',
      'ts',
      'agent',
      'id',
      'café',
      'fin',
      'v2',
      '1',
    ]);
  });

  it('returns single letters for scripts without spaces', () => {
    expect(wordsOf('数据库 ver2 データ')).toEqual(['数', '据', '库', 'ver2', 'デ', 'ー', 'タ']);
  });

  it('returns the same words for ASCII text alone and together with other characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 500 }), (text) => {
        expect([...wordsOf(text), 'é']).toEqual(wordsOf(`${text} é`));
      }),
    );
    expect(wordsOf('x'.repeat(10_000) + ' Y')).toEqual(['x'.repeat(200), 'y']);
  });

  it('returns no words for text without letters and digits', () => {
    expect(wordsOf('\ud800 -- 😀 \u0000')).toEqual([]);
  });

  it('truncates words that are too long for an index', () => {
    expect(wordsOf('x'.repeat(10_000))).toEqual(['x'.repeat(200)]);
    expect(wordsOf('𝟘'.repeat(10_000))).toEqual(['0'.repeat(200)]);
    expect(wordsOf('𐐨'.repeat(1_000))).toEqual(['𐐨'.repeat(200)]);
  });
});

describe('parseWordQuery', () => {
  const shown = (text: string) =>
    parseWordQuery(text).map((all) =>
      all.map(({ phrase, negated }) => `${negated ? 'not ' : ''}${phrase}`),
    );

  it('accepts words, phrases, exclusions and alternatives', () => {
    expect(shown('Postgres "event  store" -mysql or design-l2')).toEqual([
      ["'postgres'", "'event' <-> 'store'", "not 'mysql'"],
      ["'design' <-> 'l2'"],
    ]);
  });

  it('ignores unclosed quotes, lone punctuation and alternatives without words', () => {
    expect(shown('or - ?! "open end')).toEqual([["'open' <-> 'end'"]]);
    expect(shown('-"not this" that')).toEqual([["not 'not' <-> 'this'", "'that'"]]);
    expect(shown('"or"')).toEqual([["'or'"]]);
  });

  it('rejects a query without a word, with too long a phrase, or with too many words', () => {
    const phrase = (words: number) => `"${'a '.repeat(words)}"`;
    const apart = (words: number) => 'a '.repeat(words);
    for (const text of ['', ' or ', '!?', phrase(33), apart(33)])
      expect(() => parseWordQuery(text)).toThrow(WordQueryError);
    expect(parseWordQuery(phrase(32))).toHaveLength(1);
    expect(parseWordQuery(apart(32))[0]).toHaveLength(32);
  });
});

describe('wordVectors', () => {
  it('separates the positions of different texts', () => {
    expect(vectorsOf(['a b', 'c a d'])).toEqual(["'a':2,6 'b':3 'c':5 'd':7"]);
  });

  it('stores a word that is a whole text only once', () => {
    expect(vectorsOf(Array.from({ length: 1_000 }, (_, n) => String(n % 2)))).toEqual([
      "'0':2 '1':4",
    ]);
  });

  it('divides large texts so that every phrase is complete in one part', () => {
    const words = Array.from({ length: 40_000 }, (_, n) => `w${n % 7 === 0 ? 0 : n}`);
    const parts = vectorsOf([words.join(' ')]);
    expect(parts.length).toBeGreaterThan(2);
    const positioned = parts.map(positionsIn);
    for (const positions of positioned) {
      const all = [...positions.values()].flat();
      expect(Math.max(...all)).toBeLessThanOrEqual(16_383);
      expect(Math.max(...[...positions.values()].map(({ length }) => length))).toBeLessThan(256);
    }
    for (let from = 0; from < words.length - 32; from += 13) {
      const phrase = words.slice(from, from + 32);
      expect(positioned.some((positions) => holds(positions, phrase))).toBe(true);
    }
  });

  it('takes a number of steps in proportion to the text', () => {
    const steps = (words: number) => [...wordVectors(['some words '.repeat(words / 2)])].length;
    expect([steps(100_000), steps(200_000)]).toEqual([49, 98]);
  });
});

function positionsIn(vector: string): Map<string, number[]> {
  return new Map(
    Array.from(vector.matchAll(/'([^']+)':([\d,]+)/g), ([, word = '', positions = '']) => [
      word,
      positions.split(',').map(Number),
    ]),
  );
}

function holds(positions: ReadonlyMap<string, readonly number[]>, phrase: readonly string[]) {
  const [first = ''] = phrase;
  return (positions.get(first) ?? []).some((start) =>
    phrase.every((word, at) => positions.get(word)?.includes(start + at)),
  );
}
