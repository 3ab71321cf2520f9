import { finish } from '#shared-context';

import { type Tally, type TallyInput, mergeTallies, tallyOf } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { factsOfEntry } from './entry-readings.js';
import { sizeOf } from './entry-sizes.js';

/** What a roll-up shows of its entries. `covers`: their size in estimated tokens. */
export type GroupTally = Readonly<{ tally: Tally; covers: number }>;

/** In estimated tokens. */
const largeGroup = 65_536;

export function mergedTallies(parts: readonly (GroupTally | undefined)[]): GroupTally | undefined {
  const tallies = parts.flatMap((part) => part ?? []);
  const [only] = tallies;
  if (tallies.length <= 1) return only;
  return {
    tally: mergeTallies(tallies.map(({ tally }) => tally)),
    covers: tallies.reduce((sum, { covers }) => sum + covers, 0),
  };
}

export function tallied(entries: readonly Entry[]): GroupTally | undefined {
  return finish(talliedInSteps(entries));
}

/** Reads one entry after the other, so that memory holds no more large ones than fit into the cache. */
export function* talliedInSteps(
  entries: readonly Entry[],
): Generator<void, GroupTally | undefined> {
  if (entries.length === 0) return undefined;
  const read: TallyInput[] = [];
  for (const entry of entries) {
    const facts = yield* factsOfEntry(entry);
    const { kind, key, version, author } = entry;
    read.push({ kind, key, version, author: author ?? '', phase: null, facts });
  }
  const tally = tallyOf(read);
  const covers = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  return { tally: covers > largeGroup ? copyOf(tally) : tally, covers };
}

/** Facts may be substrings of the texts that contain them. Copying a tally lets these texts be collected. */
function copyOf(tally: Tally): Tally {
  return JSON.parse(JSON.stringify(tally)) as Tally;
}
