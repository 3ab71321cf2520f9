import { tokenizerOf } from '#context-views';

import { ViewMemo } from './view-memo.js';

const [o200k, chars4] = [tokenizerOf('o200k_base'), tokenizerOf('chars4')];
const long = 'a text that is long enough to be counted once only. '.repeat(10);

/** Counts how often it is asked, in a unit of its own. */
function counting(name: 'o200k_base' | 'cl100k_base' = 'o200k_base') {
  const asked: string[] = [];
  const unitsOf = (text: string) => asked.push(text);
  return { asked, tokenizer: { ...tokenizerOf(name), unitsOf } };
}

describe('what was counted and shortened lately', () => {
  it('is what the tokenizer says, of each tokenizer by itself', () => {
    const memo = new ViewMemo();
    for (const tokenizer of [o200k, chars4, o200k, chars4])
      for (const text of ['', 'a', long]) {
        expect(memo.units(tokenizer, text)).toBe(tokenizer.unitsOf(text));
        expect(memo.whole(tokenizer, text)).toBe(tokenizer.unitsOf(text));
      }
  });

  it('is counted once, whether as a part or as a whole', () => {
    const [memo, { asked, tokenizer }] = [new ViewMemo(), counting()];
    memo.units(tokenizer, 'part');
    memo.whole(tokenizer, 'part');
    memo.whole(tokenizer, long);
    memo.units(tokenizer, long);
    expect(asked).toEqual(['part', long]);
  });

  it('is kept of texts that are longer together than all that is kept of shorter ones', () => {
    const [memo, { asked, tokenizer }] = [new ViewMemo(), counting()];
    const texts = Array.from({ length: 20 }, (_, at) => `${at} `.repeat(500_000));
    for (const text of [...texts, ...texts]) memo.units(tokenizer, text);
    expect(asked).toHaveLength(20);
  });

  it('is made once of a text and a form, and by each form anew', () => {
    const memo = new ViewMemo();
    const made: string[] = [];
    const shorten = (text: string, form: string) =>
      memo.shortened(text, form, () => {
        made.push(`${form} of ${text}`);
        return { form, text };
      });
    const first = shorten('a', 'digest');
    expect(shorten('a', 'digest')).toBe(first);
    expect(shorten('a', 'line')).toEqual({ form: 'line', text: 'a' });
    expect(shorten('b', 'digest')).toEqual({ form: 'digest', text: 'b' });
    expect(made).toEqual(['digest of a', 'line of a', 'digest of b']);
  });

  it('is as little of long texts as of short ones, also if much of it was made room for', () => {
    const memo = new ViewMemo();
    const made: number[] = [];
    const shorten = (nth: number) =>
      memo.shortened(`${nth} `.repeat(20_000), 'bare', () => {
        made.push(nth);
        return { form: 'bare', text: 'x'.repeat(1_000_000) };
      });
    const all = Array.from({ length: 20 }, (_, nth) => nth);
    // Each text is evicted before its next request, because nineteen others are requested in between.
    for (let round = 0; round < 3; round++) all.forEach(shorten);
    expect(made).toEqual([...all, ...all, ...all]);
    // The cache holds the newest texts, up to about sixteen million characters.
    all.slice(-15).forEach(shorten);
    expect(made).toHaveLength(60);
  });

  it('keeps also what was made to be nothing', () => {
    const memo = new ViewMemo();
    let made = 0;
    const nothing = () => {
      made += 1;
      return undefined;
    };
    for (let at = 0; at < 3; at++) expect(memo.shortened('a', 'digest', nothing)).toBeUndefined();
    expect(made).toBe(1);
  });

  it('makes room for newer ones, those first that were not asked for', () => {
    const [memo, { asked, tokenizer }] = [new ViewMemo(), counting()];
    const textOf = (nth: number) => String(nth).padEnd(16_000, 'x');
    // The name of a text is a little longer than the text.
    const most = Math.floor(16_000_000 / textOf(0).length) - 1;
    for (let nth = 0; nth < most; nth++) memo.units(tokenizer, textOf(nth));
    memo.units(tokenizer, textOf(0));
    expect(asked).toHaveLength(most);
    memo.units(tokenizer, textOf(most));
    memo.units(tokenizer, textOf(0));
    expect(asked).toHaveLength(most + 1);
    memo.units(tokenizer, textOf(1));
    expect(asked).toHaveLength(most + 2);
  });

  it('takes what others have counted for counted', () => {
    const [memo, { asked, tokenizer }] = [new ViewMemo(), counting()];
    expect(memo.lacks(tokenizer, long)).toBe(true);
    memo.learn({ tokenizer, text: long, units: 7 });
    expect(memo.lacks(tokenizer, long)).toBe(false);
    expect(memo.lacks(counting('cl100k_base').tokenizer, long)).toBe(true);
    expect(memo.units(tokenizer, long)).toBe(7);
    expect(asked).toEqual([]);
  });

  it('asks nobody for what is counted sooner than it is looked up', () => {
    expect(new ViewMemo().lacks(o200k, 'short')).toBe(false);
  });

  it('tells once what wholes were counted here, and neither parts nor what others have counted', () => {
    const memo = new ViewMemo();
    const [mine, theirs, part] = [`mine ${long}`, `theirs ${long}`, `part ${long}`];
    memo.learn({ tokenizer: o200k, text: theirs, units: 7 });
    for (const text of [mine, theirs, 'short']) memo.whole(o200k, text);
    memo.units(o200k, part);
    const counted = [{ tokenizer: o200k, text: mine, units: o200k.unitsOf(mine) }];
    expect(memo.takeCounted()).toEqual(counted);
    memo.whole(o200k, mine);
    expect(memo.takeCounted()).toEqual([]);
  });
});
