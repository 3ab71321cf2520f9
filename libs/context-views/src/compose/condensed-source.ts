import { type Entry } from '../entries/entry.js';
import { clippedLine } from '../entries/quoted-text.js';
import { type CurrentStateSection } from '../entries/current-state-section.js';
import { type Segment, unitsIn } from '../segments/segment.js';
import { type ViewSource } from './layout.js';
import { everythingPart, omissionPart, pastPart, restPart } from './omission-text.js';
import { type SegmentFactory } from './segment-factory.js';
import {
  type PinnedForm,
  PinnedSegments,
  digestRoom,
  pinnedItems,
  shortPart,
} from './pinned-items.js';
import { type Omission, type PinnedSelection, selectPinned } from './pinned-selection.js';
import { hasOthers, newestVersion } from './pinned-view.js';
import { noRoom } from './recent-segments.js';
import { briefSegment } from './current-state-segments.js';
import { type ShortForm } from './timeline.js';

/** A source whose protected parts fit into a budget, and the forms of its entries that make them fit. */
type CondensedSource = Readonly<{
  source: ViewSource;
  shortened: ReadonlyMap<Entry, ShortForm>;
  /** Whether superseded decisions are omitted, which happens before a live one is shortened. */
  hidesPast: boolean;
}>;

/** The share of the budget that other content keeps if there is enough of it. */
const othersShare = 3 / 8;
const firstTokens = 256;
/** The share of the budget that the header and the state may take unshortened. */
const frameShare = 1 / 4;
/** Tokens that only a line with very long names exceeds. */
const longLine = 256;
/** Maximum characters of a line of the header if there is little room. */
const headerLine = 160;

/** The minimum view: the header, one line with a ref to everything, and the state. */
export function minimumSegments(source: ViewSource, factory: SegmentFactory): readonly Segment[] {
  const items = pinnedItems(source);
  const isAll = items.length > 0 && !hasOthers(source);
  const line = isAll
    ? restPart([{ kind: '', items, isWhole: true }])
    : everythingPart(items, newestVersion(source));
  return frameAround(items.length > 0 || hasOthers(source) ? [line] : [], source, factory);
}

/** The minimum view with a line that counts nothing. */
export function referenceSegments(source: ViewSource, factory: SegmentFactory): readonly Segment[] {
  return frameAround([everythingPart([], newestVersion(source))], source, factory);
}

function frameAround(
  lines: readonly CurrentStateSection[],
  source: ViewSource,
  factory: SegmentFactory,
): readonly Segment[] {
  const { header, state } = briefFrame(source);
  const parts = [...lines, ...state].map((part) => briefSegment(part, factory));
  return [factory.segment(header, null), ...parts];
}

/** Shortens protected parts so that they fit; undefined if there is no room for any of them. */
export function condense(
  source: ViewSource,
  factory: SegmentFactory,
  limit: number,
): CondensedSource | undefined {
  const frame = frameOf(source, factory, limit);
  const items = pinnedItems(source);
  const units = (parts: readonly CurrentStateSection[]) =>
    unitsIn(parts.map((part) => briefSegment(part, factory)));
  const past = source.timeline.entries.filter(({ isPast }) => isPast);
  const hidden = past.length > 0 ? [pastPart(past)] : [];
  const min = [everythingPart([], newestVersion(source)), ...hidden, ...frame.state];
  const left = limit - factory.units(frame.header) - units(min);
  const room = left - othersRoom(source, factory, left);
  if (room <= 0) return undefined;
  const selection = selectPinned(items, Math.floor(room), {
    segments: new PinnedSegments(factory),
    omissionUnits: (omission) => units([omissionPart(omission)]),
    longLine: factory.tokenizer.budgetUnits(longLine),
    restUnits: () => units([restPart([{ kind: '', items, isWhole: true }])]),
  });
  return condensed(source, selection, { frame, hidden });
}

/** Units reserved for other content: a share of the units beyond the first tokens, which are for protected parts. */
function othersRoom(source: ViewSource, factory: SegmentFactory, left: number): number {
  const beyond = Math.max(0, left - factory.tokenizer.budgetUnits(firstTokens));
  return othersUnits(source, factory, beyond * othersShare);
}

type Frame = Readonly<{ header: string; state: readonly CurrentStateSection[] }>;

function frameOf(source: ViewSource, factory: SegmentFactory, limit: number): Frame {
  const full = { header: source.header, state: source.currentState.filter(isState) };
  const units =
    factory.segment(full.header, null).units +
    unitsIn(full.state.map((part) => briefSegment(part, factory)));
  return units <= limit * frameShare ? full : briefFrame(source);
}

function briefFrame({ header, currentState }: ViewSource): Frame {
  const lines = header.split('\n').map((line) => clippedLine(line, headerLine));
  const state = currentState
    .filter(isState)
    .map((part) =>
      part.shortest ? part.with({ whole: part.shortest, brief: part.shortest }) : part,
    );
  return { header: lines.join('\n'), state };
}

function isState({ pinned, ref }: CurrentStateSection): boolean {
  return pinned && ref === null;
}

/** Units of everything that is not pinned, the newest first. Stops counting at `limit`. */
function othersUnits(
  { timeline, currentState }: ViewSource,
  factory: SegmentFactory,
  limit: number,
): number {
  let units = 0;
  for (const part of currentState) {
    if (units >= limit) break;
    if (!part.pinned) units += briefSegment(part, factory).units;
  }
  for (let at = timeline.entries.length - 1; at >= 0 && units < limit; at--) {
    const entry = timeline.entries[at];
    if (entry && !entry.pinned) units += factory.entry(entry, 'whole', noRoom).units;
  }
  return Math.min(units, limit);
}

function condensed(
  source: ViewSource,
  { shortened, omissions }: PinnedSelection,
  { frame, hidden }: Readonly<{ frame: Frame; hidden: readonly CurrentStateSection[] }>,
): CondensedSource {
  const entries = new Map<Entry, ShortForm>();
  const parts = new Map<CurrentStateSection, CurrentStateSection>();
  for (const [{ origin }, form] of shortened) {
    if ('entry' in origin) entries.set(origin.entry, shortForm(form));
    else parts.set(origin.part, shortPart(origin.part, form));
  }
  const { removed, currentState, ...others } = omitted(source, omissions);
  const shown = currentState
    .filter((part) => !isState(part))
    .map((part) => parts.get(part) ?? part);
  const hidesPast = [...entries.keys(), ...removed].some(({ kind }) => kind === 'decision');
  const notices = [...(hidesPast ? hidden : []), ...others.omissions];
  return {
    source: {
      header: frame.header,
      summary: source.summary,
      omissions: notices,
      timeline: source.timeline.withoutPinned(removed),
      currentState: [...shown, ...frame.state],
    },
    shortened: entries,
    hidesPast,
  };
}

/**
 * The current state without omitted parts, the omitted entries, and lines for both. Lines for timeline entries are
 * separate.
 */
function omitted(source: ViewSource, omissions: readonly Omission[]) {
  const origins = omissions.flatMap(({ items }) => items.map(({ origin }) => origin));
  const removed = new Set(origins.flatMap((origin) => ('entry' in origin ? [origin.entry] : [])));
  const without = new Set(origins.flatMap((origin) => ('part' in origin ? [origin.part] : [])));
  const partly = omissions.filter(({ isWhole }) => !isWhole);
  const wholly = omissions.filter(({ isWhole }) => isWhole);
  const isOfTimeline = ({ items: [first] }: Omission) => first && 'entry' in first.origin;
  return {
    removed,
    omissions: [
      ...(wholly.length > 0 ? [restPart(wholly)] : []),
      ...partly.filter(isOfTimeline).map(omissionPart),
    ],
    currentState: [
      ...source.currentState.filter((part) => !without.has(part)),
      ...partly.filter((omission) => !isOfTimeline(omission)).map(omissionPart),
    ],
  };
}

function shortForm(form: Exclude<PinnedForm, 'full'>): ShortForm {
  return form === 'line' ? { form, room: digestRoom(0) } : { form: 'digest', room: form };
}
