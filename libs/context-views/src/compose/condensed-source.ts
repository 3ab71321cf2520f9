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

/** A source of which what is never dropped fits into a budget, and the forms of its entries that makes it fit. */
type CondensedSource = Readonly<{
  source: ViewSource;
  shortened: ReadonlyMap<Entry, ShortForm>;
  /** Superseded decisions are left out before a live one is shortened. */
  hidesPast: boolean;
}>;

/** Of the budget, what other things keep if there are so many of them. */
const othersShare = 3 / 8;
const firstTokens = 256;
/** Of the budget, what header and state take without being shortened. */
const frameShare = 1 / 4;
/** Tokens that only a line with very long names takes. */
const longLine = 256;
/** Characters of a line of the header if there is little room. */
const headerLine = 160;

/** What a view consists of at least: the header, one line with a ref for all there is, and the state. */
export function minimumSegments(source: ViewSource, factory: SegmentFactory): readonly Segment[] {
  const items = pinnedItems(source);
  const isAll = items.length > 0 && !hasOthers(source);
  const line = isAll
    ? restPart([{ kind: '', items, isWhole: true }])
    : everythingPart(items, newestVersion(source));
  return frameAround(items.length > 0 || hasOthers(source) ? [line] : [], source, factory);
}

/** The same with a line that counts nothing. */
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

/** With what is never dropped shortened so that it fits; undefined if there is no room for any of it. */
export function condense(
  source: ViewSource,
  factory: SegmentFactory,
  most: number,
): CondensedSource | undefined {
  const frame = frameOf(source, factory, most);
  const items = pinnedItems(source);
  const units = (parts: readonly CurrentStateSection[]) =>
    unitsIn(parts.map((part) => briefSegment(part, factory)));
  const past = source.timeline.entries.filter(({ isPast }) => isPast);
  const hidden = past.length > 0 ? [pastPart(past)] : [];
  const least = [everythingPart([], newestVersion(source)), ...hidden, ...frame.state];
  const left = most - factory.units(frame.header) - units(least);
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

/** Room that other things keep: of what is beyond the first tokens, which are for what gives way last. */
function othersRoom(source: ViewSource, factory: SegmentFactory, left: number): number {
  const beyond = Math.max(0, left - factory.tokenizer.budgetUnits(firstTokens));
  return othersUnits(source, factory, beyond * othersShare);
}

type Frame = Readonly<{ header: string; state: readonly CurrentStateSection[] }>;

function frameOf(source: ViewSource, factory: SegmentFactory, most: number): Frame {
  const full = { header: source.header, state: source.currentState.filter(isState) };
  const units =
    factory.segment(full.header, null).units +
    unitsIn(full.state.map((part) => briefSegment(part, factory)));
  return units <= most * frameShare ? full : briefFrame(source);
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

/** Units of all that is not pinned, the newest first; counts no further than to `most`. */
function othersUnits(
  { timeline, currentState }: ViewSource,
  factory: SegmentFactory,
  most: number,
): number {
  let units = 0;
  for (const part of currentState) {
    if (units >= most) break;
    if (!part.pinned) units += briefSegment(part, factory).units;
  }
  for (let at = timeline.entries.length - 1; at >= 0 && units < most; at--) {
    const entry = timeline.entries[at];
    if (entry && !entry.pinned) units += factory.entry(entry, 'whole', noRoom).units;
  }
  return Math.min(units, most);
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
  const { gone, currentState, ...others } = omitted(source, omissions);
  const shown = currentState
    .filter((part) => !isState(part))
    .map((part) => parts.get(part) ?? part);
  const hidesPast = [...entries.keys(), ...gone].some(({ kind }) => kind === 'decision');
  const notices = [...(hidesPast ? hidden : []), ...others.omissions];
  return {
    source: {
      header: frame.header,
      summary: source.summary,
      omissions: notices,
      timeline: source.timeline.withoutPinned(gone),
      currentState: [...shown, ...frame.state],
    },
    shortened: entries,
    hidesPast,
  };
}

/** What is left without what is not shown by itself, and lines for that: those of the timeline are separate. */
function omitted(source: ViewSource, omissions: readonly Omission[]) {
  const origins = omissions.flatMap(({ items }) => items.map(({ origin }) => origin));
  const gone = new Set(origins.flatMap((origin) => ('entry' in origin ? [origin.entry] : [])));
  const without = new Set(origins.flatMap((origin) => ('part' in origin ? [origin.part] : [])));
  const partly = omissions.filter(({ isWhole }) => !isWhole);
  const wholly = omissions.filter(({ isWhole }) => isWhole);
  const isOfTimeline = ({ items: [first] }: Omission) => first && 'entry' in first.origin;
  return {
    gone,
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
