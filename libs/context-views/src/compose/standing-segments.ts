import { rollupRef } from '../entries/item-ref.js';
import { type StandingPart, newestOf } from '../entries/standing-part.js';
import { type Pieces } from './pieces.js';
import { type Segment } from './segment.js';

/** How many parts of a section are told of where there is little room. */
const few = 3;

/** What holds now, at the end of a view. */
export function standingSegments(
  parts: readonly StandingPart[],
  form: 'whole' | 'brief' | 'few',
  pieces: Pieces,
): readonly Segment[] {
  if (form === 'whole') return parts.map(({ whole, ref }) => pieces.segment(whole, ref));
  if (form === 'brief') return parts.map((part) => briefOf(part, pieces));
  return fewSegments(parts, pieces);
}

/** Of each section the first ones, and how many more there are; whatever is never dropped. */
function fewSegments(parts: readonly StandingPart[], pieces: Pieces): readonly Segment[] {
  const told = new Map<string, number>();
  const segments: Segment[] = [];
  for (const part of parts) {
    const count = told.get(part.section) ?? 0;
    told.set(part.section, count + (part.pinned ? 0 : 1));
    if (part.pinned || count < few) segments.push(briefOf(part, pieces));
  }
  const more = [...told].flatMap(([section, count]) =>
    count > few ? [`${count - few} in ${section}`] : [],
  );
  const state = segments.pop();
  const ref = rollupRef(1, newestOf(parts));
  const text = `- more that is open: ${more.join(', ')}; ${ref}\n`;
  const rest = more.length > 0 ? [{ ...pieces.segment(text, ref), form: 'rollup' as const }] : [];
  return [...segments, ...rest, ...(state ? [state] : [])];
}

function briefOf({ whole, brief, ref }: StandingPart, pieces: Pieces): Segment {
  const segment = pieces.segment(brief, ref);
  return brief === whole ? segment : { ...segment, form: 'digest', whole };
}
