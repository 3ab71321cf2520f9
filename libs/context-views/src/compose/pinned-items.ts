import { type Entry, type EntryForm } from '../entries/entry.js';
import { type DigestRoom } from '../entries/entry-text.js';
import {
  CurrentStateSection,
  digestOfPart,
  digestReads,
  lineOfPart,
} from '../entries/current-state-section.js';
import { type Segment } from '../segments/segment.js';
import { type ViewSource } from './layout.js';
import { type SegmentFactory } from './segment-factory.js';
import { briefSegment } from './current-state-segments.js';

/** A protected part: a pinned entry of the timeline, or a pinned part of the current state. */
export type PinnedItem = Readonly<{
  origin: Readonly<{ entry: Entry }> | Readonly<{ part: CurrentStateSection }>;
  /** Items of one kind share the budget that remains for them. */
  kind: string;
  version: number;
  /** About how many characters its `full` form takes. */
  size: number;
}>;

/** `full`: the shortest form at any compression level. */
export type PinnedForm = 'full' | 'line' | DigestRoom;

/** All protected parts except the state: the timeline first, oldest first. */
export function pinnedItems({ timeline, currentState }: ViewSource): readonly PinnedItem[] {
  const entries = timeline.places.pinned.flatMap((at) => timeline.entries[at] ?? []);
  const parts = currentState.filter(({ pinned, ref }) => pinned && ref !== null);
  return [
    ...entries.map((entry) => ({
      origin: { entry },
      kind: entry.kind,
      version: Math.max(entry.version, 1),
      size: fullSize(entry),
    })),
    ...parts.map((part) => ({
      origin: { part },
      kind: kindOf(part),
      version: Math.max(part.version, 1),
      size: part.length,
    })),
  ];
}

/** The room for a digest of about this many characters. */
export function digestRoom(characters: number): DigestRoom {
  const name = `pinned ${characters}`;
  return { name, share: 1, min: characters, limit: characters, reads: digestReads };
}

/** Pinned items as segments of a view. */
export class PinnedSegments {
  constructor(private readonly factory: SegmentFactory) {}

  units(item: PinnedItem, form: PinnedForm): number {
    return this.of(item, form).units;
  }

  of({ origin }: PinnedItem, form: PinnedForm): Segment {
    if ('part' in origin) return this.#part(origin.part, form);
    const { entry } = origin;
    if (typeof form !== 'string') return this.factory.entry(entry, 'digest', form);
    return this.factory.entry(entry, form === 'full' ? fullForm(entry) : 'line', digestRoom(0));
  }

  #part(part: CurrentStateSection, form: PinnedForm): Segment {
    return briefSegment(form === 'full' ? part : shortPart(part, form), this.factory);
  }
}

/** A part as a digest or a line; the part itself if that is not shorter. */
export function shortPart(
  part: CurrentStateSection,
  form: Exclude<PinnedForm, 'full'>,
): CurrentStateSection {
  return part.shorter.find(typeof form === 'string' ? form : form.name, () =>
    shortened(part, form),
  );
}

function shortened(
  part: CurrentStateSection,
  form: Exclude<PinnedForm, 'full'>,
): CurrentStateSection {
  const text = typeof form === 'string' ? lineOfPart(part) : digestOfPart(part, form.limit);
  if (text === undefined) return part;
  const shownAs = { form: form === 'line' ? form : ('digest' as const), original: part };
  const { ref, section, version, pinned } = part;
  return new CurrentStateSection({
    ref,
    section,
    version,
    pinned,
    whole: text,
    brief: text,
    shownAs,
  });
}

function fullForm({ kind }: Entry): EntryForm {
  return kind === 'decision' ? 'bare' : 'whole';
}

function fullSize(entry: Entry): number {
  const { members } = entry;
  const { decision } = members;
  if (fullForm(entry) === 'bare' && typeof decision === 'string') return decision.length;
  return JSON.stringify(members).length;
}

/** The kind in the ref of a part. */
function kindOf({ ref }: CurrentStateSection): string {
  return ref?.slice(0, ref.indexOf(':')) ?? '';
}
