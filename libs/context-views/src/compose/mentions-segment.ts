import { unmentionedIn } from '../digests/index.js';
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

/** What shortened entries mention and nothing of the text tells, within the room; undefined where there is nothing. */
export function mentionsSegment(
  told: readonly Segment[],
  placed: Placed,
  { pieces, units }: Readonly<{ pieces: Pieces; units: number }>,
): Segment | undefined {
  if (units < leastUnits) return undefined;
  const shortened = shortenedEntries(told, placed);
  if (shortened.length === 0) return undefined;
  const text = told.map((segment) => segment.text).join('');
  const values = shortened.map((entry) => pieces.mentions(entry));
  let room = Math.floor(units * charactersInUnit);
  for (let left = tries; left > 0; left--) {
    const lists = pieces.of(text, `mentions ${room}`, () => unmentionedIn(text, values, room));
    if (lists === '') return undefined;
    const segment = pieces.segment(`${heading}${quoted(lists)}`, null);
    if (segment.units <= units) return segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return undefined;
}

/** Those told of by themselves; what is rolled up says itself what it mentions. */
function shortenedEntries(
  told: readonly Segment[],
  { index: { entries }, count }: Placed,
): readonly Entry[] {
  const refs = new Set(
    told.flatMap(({ ref, form }) =>
      ref !== null && form !== 'whole' && form !== 'rollup' ? [ref] : [],
    ),
  );
  const found: Entry[] = [];
  for (let at = count - 1; at >= 0 && found.length < refs.size; at--) {
    const entry = entries[at];
    if (entry && refs.has(entry.ref)) found.push(entry);
  }
  return found.reverse();
}
