import { factsShownIn } from '../digests/index.js';
import { rollupRef } from '../entries/item-ref.js';
import { type CurrentStateSection, newestOf } from '../entries/current-state-section.js';
import { type Segment, factsOfText } from '../segments/segment.js';
import { type SegmentFactory } from './segment-factory.js';

/** How many parts of a section are shown if there is little room. */
const few = 3;

/**
 * The segments of the current state, which ends a view; undefined if they take more than `limit` units. Stops counting
 * there.
 */
export function currentStateSegments(
  parts: readonly CurrentStateSection[],
  form: 'whole' | 'brief' | 'few',
  factory: SegmentFactory,
  limit = Infinity,
): readonly Segment[] | undefined {
  if (form === 'few') return withinUnits(fewSegments(parts, factory), limit);
  return withinUnits(partSegments(parts, form, factory), limit);
}

/** The shortest form of a part at any compression level. */
export function briefSegment(part: CurrentStateSection, factory: SegmentFactory): Segment {
  return partSegment(part, 'brief', factory);
}

function* partSegments(
  parts: readonly CurrentStateSection[],
  form: 'whole' | 'brief',
  factory: SegmentFactory,
): Generator<Segment> {
  for (const part of parts) yield partSegment(part, form, factory);
}

/** The first parts of each section and all pinned parts, with a count of the others before the last one. */
function* fewSegments(
  parts: readonly CurrentStateSection[],
  factory: SegmentFactory,
): Generator<Segment> {
  const counts = new Map<string, number>();
  let last: Segment | undefined;
  for (const part of parts) {
    const count = counts.get(part.section) ?? 0;
    counts.set(part.section, count + (part.pinned ? 0 : 1));
    if (!part.pinned && count >= few) continue;
    if (last) yield last;
    last = briefSegment(part, factory);
  }
  yield* moreSegment(counts, parts, factory);
  if (last) yield last;
}

function* moreSegment(
  counts: ReadonlyMap<string, number>,
  parts: readonly CurrentStateSection[],
  factory: SegmentFactory,
): Generator<Segment> {
  const more = [...counts].flatMap(([section, count]) =>
    count > few ? [`${count - few} in ${section}`] : [],
  );
  if (more.length === 0) return;
  const ref = rollupRef(1, newestOf(parts));
  const text = `- more that is open: ${more.join(', ')}; ${ref}\n`;
  yield { ...factory.segment(text, ref), form: 'rollup' };
}

function partSegment(
  part: CurrentStateSection,
  form: 'whole' | 'brief',
  factory: SegmentFactory,
): Segment {
  return part.texts.segment(factory.tokenizer, form, () => newSegment(part, form, factory));
}

function newSegment(
  part: CurrentStateSection,
  form: 'whole' | 'brief',
  factory: SegmentFactory,
): Segment {
  const { ref, shownAs } = part;
  if (shownAs) return { ...factory.segment(part[form], ref), ...shownAs };
  if (form === 'whole' || part.isBriefWhole) return wholeSegment(part, factory);
  return { ...factory.segment(part.brief, ref), form: 'digest', original: part };
}

/** If the text is rebuilt on each read, the segment does not hold it. */
function wholeSegment(part: CurrentStateSection, { tokenizer }: SegmentFactory): Segment {
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

function withinUnits(segments: Iterable<Segment>, limit: number): readonly Segment[] | undefined {
  const found: Segment[] = [];
  let left = limit;
  for (const segment of segments) {
    left -= segment.units;
    if (left < 0) return undefined;
    found.push(segment);
  }
  return found;
}
