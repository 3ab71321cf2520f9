import { type Item, finish } from '#shared-context';

import { Recently } from '../compose/recently.js';
import { type StandingPart } from './standing-part.js';

const fewAtOnce = 4;

const lately = new Recently<Item, StandingPart>(fewAtOnce, () => 1);

/** A part whose item has its body outside of memory. Made in steps; its texts are made again whenever they are needed. */
export function* lazyPart(
  item: Item,
  make: (item: Item) => Generator<void, StandingPart>,
): Generator<void, StandingPart> {
  const first = yield* make(item);
  remember(item, first);
  const again = () => lately.find(item, () => finish(make(item)));
  const { whole, brief, shortening, ...facts } = first;
  const short = brief.length < whole.length ? brief : undefined;
  return {
    ...facts,
    wholeLength: whole.length,
    get whole() {
      return again().whole;
    },
    get brief() {
      return short ?? again().brief;
    },
    ...(shortening && { shortening: lazyShortening(shortening.heading, again) }),
  };
}

/** A separate function, because closures of one scope share their variables: the part would keep the item's body in memory. */
function remember(item: Item, part: StandingPart): void {
  lately.find(item, () => part);
}

function lazyShortening(heading: string, again: () => StandingPart) {
  return {
    heading,
    get value() {
      return again().shortening?.value ?? null;
    },
  };
}
