import { type Item, finish } from '#shared-context';

import { type PartFacts } from './standing-part.js';

/** A part whose item has its body outside of memory. Made in steps; its texts are made again whenever they are needed. */
export function* lazyPart(
  item: Item,
  make: (item: Item) => Generator<void, PartFacts>,
): Generator<void, PartFacts> {
  const { whole, brief, shortening, ...facts } = yield* make(item);
  // Nothing below may refer to `whole`: the part would keep the text in memory.
  const short = brief.length < whole.length ? brief : undefined;
  const again = () => finish(make(item));
  return {
    ...facts,
    lengths: { whole: whole.length, brief: brief.length },
    get whole() {
      return again().whole;
    },
    get brief() {
      return short ?? again().brief;
    },
    ...(shortening && { shortening: lazyShortening(shortening.heading, again) }),
  };
}

function lazyShortening(heading: string, again: () => PartFacts) {
  return {
    heading,
    get value() {
      return again().shortening?.value ?? null;
    },
  };
}
