import { ListedFacts, type Tally, foundInTally } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { quoted } from '../entries/quoted-text.js';
import { type Segment } from '../segments/segment.js';
import { type SegmentFactory } from './segment-factory.js';
import { type Placed, entryAt } from './timeline.js';

// prose-ignore: text of views, whose bytes are pinned
const heading = '## also mentioned in what is shortened above\n';
/** Names and numbers take about so many characters a token. */
const charactersInUnit = 3;
const minUnits = 40;
const tries = 4;
/** Of the newest shortened entries, so many, and estimated tokens: what was read of them is in memory, or made at once. */
const maxEntries = 96;
const highestBudget = 524_288;

/** Facts of shortened and rolled-up entries, the newest first. */
export function factsToList(shortened: readonly Entry[], rolled: readonly Tally[]): ListedFacts {
  const values = shortened.map(({ reading }) => reading).reverse();
  return new ListedFacts([...values, ...rolled.map(foundInTally).reverse()]);
}

type Mentions = Readonly<{ factory: SegmentFactory; units: number; facts: ListedFacts }>;

/** The facts that no segment shows, within the units; undefined if there are none. */
export function mentionsSegment(
  shown: readonly Segment[],
  { factory, units, facts }: Mentions,
): Segment | undefined {
  if (units < minUnits) return undefined;
  const known = shownFacts(shown);
  let room = Math.floor(units * charactersInUnit);
  for (let left = tries; left > 0; left--) {
    const lists = facts.lists(room, known);
    if (lists === '') return undefined;
    const segment = factory.segment(`${heading}${quoted(lists)}`, null);
    if (segment.units <= units) return segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return undefined;
}

function shownFacts(segments: readonly Segment[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const { facts } of segments) for (const fact of facts()) all.add(fact);
  return all;
}

/** Returns the newest entries that have a digest or a line of their own, the oldest first. Entries in roll-ups are not among them. */
export function shortenedEntries(shown: readonly Segment[], placed: Placed): readonly Entry[] {
  const { count, shortened } = placed;
  const refs = new Set(
    shown.flatMap(({ ref, form }) =>
      ref !== null && form !== 'whole' && form !== 'rollup' ? [ref] : [],
    ),
  );
  const found: Entry[] = [];
  let left = highestBudget;
  for (let at = count - 1; at >= 0 && found.length < maxEntries && left > 0; at--) {
    const entry = entryAt(placed, at);
    if (!refs.has(entry.ref) || shortened?.has(entry)) continue;
    found.push(entry);
    left -= entry.size;
  }
  return found.reverse();
}
