import fc from 'fast-check';

import { runAtOnce } from '#slices';

import { WordQueryError, parseWordQuery } from './search-words.js';
import { wordVectors } from './word-vectors.js';
import { wordsOf } from './words.js';

const vectorsOf = (texts: Iterable<string>) => runAtOnce(wordVectors(texts));

describe('the words of a text', () => {
  it('are runs of letters and digits, whatever their case and what stands between them', () => {
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

  it('are the letters themselves in scripts without spaces', () => {
    expect(wordsOf('数据库 ver2 データ')).toEqual(['数', '据', '库', 'ver2', 'デ', 'ー', 'タ']);
  });

  it('are the same in a text of ASCII as beside other characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 500 }), (text) => {
        expect([...wordsOf(text), 'é']).toEqual(wordsOf(`${text} é`));
      }),
    );
    expect(wordsOf('x'.repeat(10_000) + ' Y')).toEqual(['x'.repeat(200), 'y']);
  });

  it('are none where nothing is a letter', () => {
    expect(wordsOf('\ud800 -- 😀 \u0000')).toEqual([]);
  });

  it('are cut where they are longer than an index takes', () => {
    expect(wordsOf('x'.repeat(10_000))).toEqual(['x'.repeat(200)]);
    expect(wordsOf('𝟘'.repeat(10_000))).toEqual(['0'.repeat(200)]);
    expect(wordsOf('𐐨'.repeat(1_000))).toEqual(['𐐨'.repeat(200)]);
  });
});

describe('what full text asks', () => {
  const shown = (text: string) =>
    parseWordQuery(text).map((all) =>
      all.map(({ phrase, negated }) => `${negated ? 'not ' : ''}${phrase}`),
    );

  it('is words that all occur, phrases, exclusions and alternatives', () => {
    expect(shown('Postgres "event  store" -mysql or design-l2')).toEqual([
      ["'postgres'", "'event' <-> 'store'", "not 'mysql'"],
      ["'design' <-> 'l2'"],
    ]);
  });

  it('minds no quote that is not closed, no sign that stands alone, no alternative without words', () => {
    expect(shown('or - ?! "open end')).toEqual([["'open' <-> 'end'"]]);
    expect(shown('-"not this" that')).toEqual([["not 'not' <-> 'this'", "'that'"]]);
    expect(shown('"or"')).toEqual([["'or'"]]);
  });

  it('is refused without a word, with a phrase no search could match and with too many', () => {
    const phrase = (words: number) => `"${'a '.repeat(words)}"`;
    const apart = (words: number) => 'a '.repeat(words);
    for (const text of ['', ' or ', '!?', phrase(33), apart(33)])
      expect(() => parseWordQuery(text)).toThrow(WordQueryError);
    expect(parseWordQuery(phrase(32))).toHaveLength(1);
    expect(parseWordQuery(apart(32))[0]).toHaveLength(32);
  });
});

describe('word vectors', () => {
  it('keep words of one text together and those of two apart', () => {
    expect(vectorsOf(['a b', 'c a d'])).toEqual(["'a':2,6 'b':3 'c':5 'd':7"]);
  });

  it('name a word that is a text by itself once', () => {
    expect(vectorsOf(Array.from({ length: 1_000 }, (_, n) => String(n % 2)))).toEqual([
      "'0':2 '1':4",
    ]);
  });

  it('divide what is large where every phrase stays whole in one of them', () => {
    const words = Array.from({ length: 40_000 }, (_, n) => `w${n % 7 === 0 ? 0 : n}`);
    const parts = vectorsOf([words.join(' ')]);
    expect(parts.length).toBeGreaterThan(2);
    const placed = parts.map(positionsIn);
    for (const positions of placed) {
      const all = [...positions.values()].flat();
      expect(Math.max(...all)).toBeLessThanOrEqual(16_383);
      expect(Math.max(...[...positions.values()].map(({ length }) => length))).toBeLessThan(256);
    }
    for (let from = 0; from < words.length - 32; from += 13) {
      const phrase = words.slice(from, from + 32);
      expect(placed.some((positions) => holds(positions, phrase))).toBe(true);
    }
  });

  it('are found in steps that grow with the text, however long it is', () => {
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
