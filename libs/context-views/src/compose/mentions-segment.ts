import { type Tally, UnmentionedFacts, foundInTally } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { quoted } from '../entries/shown-text.js';
import { type Pieces } from './pieces.js';
import { type Segment } from './segment.js';
import { type Placed } from './timeline.js';

const heading = '## also mentioned in what is shortened above\n';
/** Names and numbers take about so many characters a token. */
const charactersInUnit = 3;
const leastUnits = 40;
const tries = 4;

/** What shortened entries mention and nothing of the text tells, within the room; undefined if there is nothing. */
export function mentionsSegment(
  told: readonly Segment[],
  placed: Placed,
  { pieces, units, rolled = [] }: Readonly<{ pieces: Pieces; units: number; rolled?: readonly Tally[] }>,
): Segment | undefined {
  if (units < leastUnits) return undefined;
  const shortened = shortenedEntries(told, placed);
  if (shortened.length === 0 && rolled.length === 0) return undefined;
  const text = told.map((segment) => segment.text).join('');
  const unmentioned = rolled.length > 0 ? new UnmentionedFacts(text, [...shortened.map(({ reading }) => reading), ...rolled.map(foundInTally)]) : unmentionedIn({ text, shortened });
  let room = Math.floor(units * charactersInUnit);
  for (let left = tries; left > 0; left--) {
    const lists = unmentioned.lists(room);
    if (lists === '') return undefined;
    const segment = pieces.segment(`${heading}${quoted(lists)}`, null);
    if (segment.units <= units) return segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return undefined;
}

type ShortenedText = Readonly<{ text: string; shortened: readonly Entry[] }>;

/** While nothing is settled anew, every view asks for the same. The text decides which entries are shortened. */
function unmentionedIn({ text, shortened }: ShortenedText): UnmentionedFacts {
  const readings = () => shortened.map(({ reading }) => reading);
  const find = () => new UnmentionedFacts(text, readings());
  const [first] = shortened;
  return first ? first.mentions.find(text, find) : find();
}

/** Entries that are shown by themselves; roll-ups list their own mentions. */
function shortenedEntries(
  told: readonly Segment[],
  { index: { entries }, count, shortened }: Placed,
): readonly Entry[] {
  const refs = new Set(
    told.flatMap(({ ref, form }) =>
      ref !== null && form !== 'whole' && form !== 'rollup' ? [ref] : [],
    ),
  );
  const found: Entry[] = [];
  for (let at = count - 1; at >= 0 && found.length < refs.size; at--) {
    const entry = entries[at];
    if (entry && refs.has(entry.ref) && !shortened?.has(entry)) found.push(entry);
  }
  return found.reverse();
}
