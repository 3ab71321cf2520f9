import { factsShownIn } from '../digests/index.js';
import { rollupRef } from '../entries/item-ref.js';
import { type StandingPart, newestOf } from '../entries/standing-part.js';
import { type Segment, factsOfText } from '../segments/segment.js';
import { type Pieces } from './pieces.js';

/** How many parts of a section are told of where there is little room. */
const few = 3;

/** What holds now, at the end of a view; undefined if it takes more than `most` units, which ends the counting. */
export function standingSegments(
  parts: readonly StandingPart[],
  form: 'whole' | 'brief' | 'few',
  pieces: Pieces,
  most = Infinity,
): readonly Segment[] | undefined {
  if (form === 'few') return withinUnits(fewSegments(parts, pieces), most);
  return withinUnits(partSegments(parts, form, pieces), most);
}

/** The shortest form of a part that the ladder knows. */
export function briefSegment(part: StandingPart, pieces: Pieces): Segment {
  return partSegment(part, 'brief', pieces);
}

function* partSegments(
  parts: readonly StandingPart[],
  form: 'whole' | 'brief',
  pieces: Pieces,
): Generator<Segment> {
  for (const part of parts) yield partSegment(part, form, pieces);
}

/** Of each section the first ones, and how many more there are, before the last; whatever is never dropped. */
function* fewSegments(parts: readonly StandingPart[], pieces: Pieces): Generator<Segment> {
  const counts = new Map<string, number>();
  let last: Segment | undefined;
  for (const part of parts) {
    const count = counts.get(part.section) ?? 0;
    counts.set(part.section, count + (part.pinned ? 0 : 1));
    if (!part.pinned && count >= few) continue;
    if (last) yield last;
    last = briefSegment(part, pieces);
  }
  yield* moreSegment(counts, parts, pieces);
  if (last) yield last;
}

function* moreSegment(
  counts: ReadonlyMap<string, number>,
  parts: readonly StandingPart[],
  pieces: Pieces,
): Generator<Segment> {
  const more = [...counts].flatMap(([section, count]) =>
    count > few ? [`${count - few} in ${section}`] : [],
  );
  if (more.length === 0) return;
  const ref = rollupRef(1, newestOf(parts));
  const text = `- more that is open: ${more.join(', ')}; ${ref}\n`;
  yield { ...pieces.segment(text, ref), form: 'rollup' };
}

function partSegment(part: StandingPart, form: 'whole' | 'brief', pieces: Pieces): Segment {
  return part.texts.segment(pieces.tokenizer, form, () => newSegment(part, form, pieces));
}

function newSegment(part: StandingPart, form: 'whole' | 'brief', pieces: Pieces): Segment {
  const { ref, shownAs } = part;
  if (shownAs) return { ...pieces.segment(part[form], ref), ...shownAs };
  if (form === 'whole' || part.isBriefWhole) return wholeSegment(part, pieces);
  return { ...pieces.segment(part.brief, ref), form: 'digest', original: part };
}

/** If the text is made whenever it is read, the segment does not hold it. */
function wholeSegment(part: StandingPart, { tokenizer }: Pieces): Segment {
  const facts = { ref: part.ref, form: 'whole' as const, units: part.wholeUnits(tokenizer) };
  if (!part.isLazy) return { ...facts, text: part.whole, facts: factsOfText(part.whole) };
  return {
    ...facts,
    facts: () => factsShownIn(part.whole),
    get text() {
      return part.whole;
    },
  };
}

function withinUnits(segments: Iterable<Segment>, most: number): readonly Segment[] | undefined {
  const found: Segment[] = [];
  let left = most;
  for (const segment of segments) {
    left -= segment.units;
    if (left < 0) return undefined;
    found.push(segment);
  }
  return found;
}
