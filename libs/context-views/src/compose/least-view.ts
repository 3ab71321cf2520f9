import { rollupOf } from '../digests/index.js';
import { rollupRef } from '../entries/item-ref.js';
import { newestOf } from '../entries/standing-part.js';
import { entryClasses, mergedTallies } from './group-tallies.js';
import { type ViewSource } from './layout.js';
import { type Pieces } from './pieces.js';
import { rollupText } from './rollup-text.js';
import { type Segment, unitsIn } from './segment.js';
import { groupSize, groupStart, groupsBefore } from './version-groups.js';

const charactersInUnit = 3;
const leastUnits = 40;
const tries = 4;

/** Not even the least of everything fits: what is never dropped, and one reference to the rest. */
export function leastSegments(
  segments: readonly Segment[],
  source: ViewSource,
  pieces: Pieces,
): readonly [Segment, ...Segment[]] {
  const pinned = new Set(
    [...source.timeline.entries, ...source.standing].flatMap((each) =>
      each.pinned && each.ref !== null ? [each.ref] : [],
    ),
  );
  const isKept = ({ ref }: Segment) => ref !== null && pinned.has(ref);
  const rest = rollupRef(1, newestVersion(source));
  const isLeft = segments.some(({ ref, units }) => ref !== null && units > 0 && !pinned.has(ref));
  const state = source.standing.at(-1);
  const covers = source.timeline.sizes.reduce((sum, size) => sum + size, 0);
  return [
    pieces.segment(source.header, null),
    ...(isLeft
      ? [
          {
            ...pieces.segment(`- everything else: ${rest}\n`, rest),
            form: 'rollup' as const,
            covers,
          },
        ]
      : []),
    ...segments.filter(isKept),
    ...(state && state.ref === null ? [pieces.segment(state.whole, null)] : []),
  ];
}

/** With as much of what everything else tells together as the units that are left hold. */
export function withRest(
  least: readonly Segment[],
  source: ViewSource,
  { pieces, left }: Readonly<{ pieces: Pieces; left: number }>,
): readonly Segment[] {
  const at = least.findIndex(({ form }) => form === 'rollup');
  const rest = least[at];
  const units = left + (rest?.units ?? 0);
  if (!rest || units < leastUnits) return least;
  const newest = newestVersion(source);
  const groups = groupsBefore(groupStart(newest) + groupSize);
  const told = mergedTallies(groups.map((each) => source.timeline.tally(each, entryClasses)));
  if (!told) return least;
  let room = Math.floor(units * charactersInUnit);
  for (let again = tries; again > 0; again--) {
    const text = rollupText({ from: 1, to: newest }, rollupOf(told.tally, room));
    const segment = pieces.segment(text, rest.ref);
    if (segment.units <= units) return least.with(at, { ...rest, ...segment, form: 'rollup' });
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return least;
}

/** Of what a source tells of. */
export function newestVersion({ timeline, standing }: ViewSource): number {
  return Math.max(timeline.entries.at(-1)?.version ?? 1, newestOf(standing));
}

/** The oldest of what is never dropped as references, as far as it takes; where that is not enough, left out. */
export function referencesOnly(
  least: readonly [Segment, ...Segment[]],
  pieces: Pieces,
  most: number,
): readonly Segment[] {
  const left: Segment[] = [...least];
  let units = unitsIn(left);
  for (const [at, segment] of least.entries()) {
    if (units <= most) break;
    if (!segment.ref || segment.form === 'rollup') continue;
    const reference = pieces.segment(`- ${segment.ref}\n`, segment.ref);
    if (reference.units >= segment.units) continue;
    left[at] = { ...reference, form: 'line', whole: segment.whole ?? segment.text };
    units += reference.units - segment.units;
  }
  return withinUnits(left, most);
}

/** Without as many of the first, behind the header, as it takes. */
function withinUnits(segments: readonly Segment[], most: number): readonly Segment[] {
  const [header, ...others] = segments;
  const over = unitsIn(segments) - most;
  let dropped = 0;
  const kept = others.filter(({ units }) => {
    if (dropped >= over) return true;
    dropped += units;
    return false;
  });
  return header && dropped >= over ? [header, ...kept] : [];
}
