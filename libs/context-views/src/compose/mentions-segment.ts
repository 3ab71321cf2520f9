import { ListedFacts, type Tally, foundInTally } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { quoted } from '../entries/quoted-text.js';
import { type Segment } from '../segments/segment.js';
import { type SegmentFactory } from './segment-factory.js';
import { type PlacedTimeline, entryAt } from './timeline.js';

// prose-ignore: text of views, whose bytes are pinned
const heading = '## also mentioned in what is shortened above\n';
/** Names and numbers take about this many characters per token. */
const charactersInUnit = 3;
const minUnits = 40;
const tries = 4;
/**
 * Limits of the entries, and of their estimated tokens, whose facts are listed: their readings are cached or quick to
 * compute.
 */
const maxEntries = 96;
const maxListedTokens = 524_288;

/** Facts of shortened and rolled-up entries, the newest first. */
export function factsToList(shortened: readonly Entry[], rolled: readonly Tally[]): ListedFacts {
  const values = shortened.map(({ reading }) => reading).reverse();
  return new ListedFacts([...values, ...rolled.map(foundInTally).reverse()]);
}

type MentionsOptions = Readonly<{ factory: SegmentFactory; units: number; facts: ListedFacts }>;

/** The facts that no segment shows, within the units; undefined if there are none. */
export function mentionsSegment(
  shown: readonly Segment[],
  { factory, units, facts }: MentionsOptions,
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

/**
 * Returns the newest entries that are shown as a digest or a line, the oldest first. Entries in roll-ups are excluded.
 */
export function shortenedEntries(
  shown: readonly Segment[],
  placed: PlacedTimeline,
): readonly Entry[] {
  const { count, shortened } = placed;
  const refs = new Set(
    shown.flatMap(({ ref, form }) =>
      ref !== null && form !== 'whole' && form !== 'rollup' ? [ref] : [],
    ),
  );
  const found: Entry[] = [];
  let left = maxListedTokens;
  for (let at = count - 1; at >= 0 && found.length < maxEntries && left > 0; at--) {
    const entry = entryAt(placed, at);
    if (!refs.has(entry.ref) || shortened?.has(entry)) continue;
    found.push(entry);
    left -= entry.size;
  }
  return found.reverse();
}
