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
    const textOf = (nth: number) => String(nth).padEnd(1_000_000, 'x');
    for (let nth = 0; nth < 15; nth++) memo.units(tokenizer, textOf(nth));
    memo.units(tokenizer, textOf(0));
    expect(asked).toHaveLength(15);
    memo.units(tokenizer, textOf(15));
    memo.units(tokenizer, textOf(0));
    expect(asked).toHaveLength(16);
    memo.units(tokenizer, textOf(1));
    expect(asked).toHaveLength(17);
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
