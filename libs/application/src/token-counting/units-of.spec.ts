import { type Tokenizer, tokenizerOf } from '#context-views';

import { unitsOf } from './units-of.js';

/** A tokenizer that records how many texts it has begun to count, and how many at the same time. */
function recording(tokenizer: Tokenizer) {
  const counting = { now: 0, max: 0, started: 0 };
  function* unitsInSteps(text: string) {
    counting.started += 1;
    counting.now += 1;
    counting.max = Math.max(counting.max, counting.now);
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
  it('counts long texts one after another, to limit memory', async () => {
    const { tokenizer, counting } = recording(tokenizerOf('o200k_base'));
    const counts = await Promise.all([long, long, long].map((text) => unitsOf(tokenizer, text)));
    expect(counts).toEqual(counts.map(() => tokenizer.unitsOf(long)));
    expect([counting.max, counting.started]).toEqual([1, 3]);
  });

  it('counts short texts while long ones wait', async () => {
    const { tokenizer, counting } = recording(tokenizerOf('o200k_base'));
    const client = new AbortController();
    const endless = unitsOf(endlessTokenizer, long, client.signal);
    const waiting = unitsOf(tokenizer, long);
    await Promise.all([short, short].map((text) => unitsOf(tokenizer, text)));
    expect(counting.started).toBe(2);
    client.abort();
    await expect(endless).rejects.toBe(client.signal.reason);
    await waiting;
  });

  it('skips a waiting text whose signal has aborted', async () => {
    const { tokenizer, counting } = recording(tokenizerOf('o200k_base'));
    const client = new AbortController();
    const waiting = [
      unitsOf(tokenizer, long),
      unitsOf(tokenizer, long, client.signal),
      unitsOf(tokenizer, long),
    ];
    client.abort();
    const settled = await Promise.allSettled(waiting);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(counting.started).toBe(2);
  });

  it('ends when its signal aborts', async () => {
    const client = new AbortController();
    const counting = unitsOf(endlessTokenizer, short, client.signal);
    client.abort();
    await expect(counting).rejects.toBe(client.signal.reason);
  });
});
