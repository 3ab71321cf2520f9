import { type Tokenizer, tokenizerOf } from '#context-views';

import { unitsOf } from './units-of.js';

/** A tokenizer, and how many texts it has been counting at the same time at most. */
function watched(tokenizer: Tokenizer) {
  const counting = { now: 0, most: 0, begun: 0 };
  function* unitsInSteps(text: string) {
    counting.begun += 1;
    counting.now += 1;
    counting.most = Math.max(counting.most, counting.now);
    try {
      return yield* tokenizer.unitsInSteps(text);
    } finally {
      counting.now -= 1;
    }
  }
  return { tokenizer: { ...tokenizer, unitsInSteps }, counting };
}

const endlessTokenizer: Tokenizer = {
  ...tokenizerOf('o200k_base'),
  *unitsInSteps(): Generator<void, number> {
    for (;;) yield;
  },
};

const long = 'word '.repeat(60_000);
const short = 'word '.repeat(10_000);

describe('counting the tokens of texts', () => {
  it('gives long ones turns, so that the memory of one is taken at a time', async () => {
    const { tokenizer, counting } = watched(tokenizerOf('o200k_base'));
    const counts = await Promise.all([long, long, long].map((text) => unitsOf(tokenizer, text)));
    expect(counts).toEqual(counts.map(() => tokenizer.unitsOf(long)));
    expect([counting.most, counting.begun]).toEqual([1, 3]);
  });

  it('lets others pass them', async () => {
    const { tokenizer, counting } = watched(tokenizerOf('o200k_base'));
    const gone = new AbortController();
    const endless = unitsOf(endlessTokenizer, long, gone.signal);
    const waiting = unitsOf(tokenizer, long);
    await Promise.all([short, short].map((text) => unitsOf(tokenizer, text)));
    expect(counting.begun).toBe(2);
    gone.abort();
    await expect(endless).rejects.toBe(gone.signal.reason);
    await waiting;
  });

  it('is not begun for whoever has gone away, and goes on for the others', async () => {
    const { tokenizer, counting } = watched(tokenizerOf('o200k_base'));
    const gone = new AbortController();
    const waiting = [
      unitsOf(tokenizer, long),
      unitsOf(tokenizer, long, gone.signal),
      unitsOf(tokenizer, long),
    ];
    gone.abort();
    const settled = await Promise.allSettled(waiting);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(counting.begun).toBe(2);
  });

  it('ends once whoever asked has gone away', async () => {
    const gone = new AbortController();
    const counting = unitsOf(endlessTokenizer, short, gone.signal);
    gone.abort();
    await expect(counting).rejects.toBe(gone.signal.reason);
  });
});
