import { type DigestRoom } from '../entries/entry-text.js';
import { type Segment } from '../segments/segment.js';

/** How far behind the newest entry, in estimated tokens, an entry is at most whole, a digest, a line. */
export type Windows = Readonly<{ whole: number; digest: number; line: number }>;

/** What gives way, and how much of it. */
export type CompressionLevel = Readonly<{
  outputs: Windows;
  history: Windows;
  room: DigestRoom;
  /** How many of the newest outputs stay whole wherever they are. */
  newest: number;
  /** What came since the last quantum was full, but for the newest. */
  recent: 'whole' | 'digest' | 'line';
  past: 'told' | 'line';
  decisions: 'whole' | 'brief' | 'bare';
  /** How many of the newest pinned entries are told one form fuller than that. */
  fuller: number;
  currentState: 'whole' | 'brief' | 'few';
  /** Characters of a roll-up. */
  rollupRoom: number;
  /** The newest versions are rolled up too, although more will come into their group; or all but past decisions. */
  partial: 'no' | 'but-past' | 'all';
  /** The first output is rolled up too, although it may say what the work is about. */
  rollsUpFirst: boolean;
}>;

/** How settled entries are laid out, and the facts that are listed behind them. */
export type SettledLayout = Readonly<{
  compression: CompressionLevel;
  mentions: Segment | undefined;
}>;

const all: Windows = { whole: Infinity, digest: Infinity, line: Infinity };
/** Nothing is whole any more; then no digest; then no line that could be in a roll-up. */
const noWhole: Windows = { whole: -Infinity, digest: 0, line: 0 };
const noDigest: Windows = { whole: -Infinity, digest: -Infinity, line: 0 };
const nothing: Windows = { whole: -Infinity, digest: -Infinity, line: -Infinity };

/** Each a step further down: windows, shares of payloads that digests take, and their most, as a part of the budget. */
const steps = [
  { scale: 1, share: 0.5, most: 0.3 },
  { scale: 0.8, share: 0.5, most: 0.3 },
  { scale: 0.64, share: 0.3, most: 0.18 },
  { scale: 0.5, share: 0.3, most: 0.18 },
  { scale: 0.4, share: 0.18, most: 0.1 },
  { scale: 0.3, share: 0.18, most: 0.1 },
  { scale: 0.2, share: 0.1, most: 0.05 },
  { scale: 0.12, share: 0.1, most: 0.05 },
  { scale: 0.06, share: 0.1, most: 0.05 },
] as const;

const charactersInToken = 4;
const minDigest = 160;
const minRollup = 160;
/** Of the budget, for each roll-up: there are as many as the number of groups has binary digits. */
const rollupShare = 0.12;

/** From what gives way most to what gives way least. */
export type Group = readonly [CompressionLevel, ...CompressionLevel[]];

/** Nothing gives way. */
export function noCompression(budgetTokens: number, newest: number): CompressionLevel {
  return { ...atStep(budgetTokens, steps[0]), newest };
}

/** For what is settled, without what came since: outputs are lines or rolled up; they give way first, then other history. */
export function settledLevels(budgetTokens: number, newest: number): readonly Group[] {
  const rungs = ladder(budgetTokens).map((each): CompressionLevel => asLines({ ...each, newest }));
  const last = rungs.at(-1) ?? noCompression(budgetTokens, newest);
  const rolledUp: CompressionLevel = { ...given(last, nothing), past: 'line', partial: 'but-past' };
  return [reversed([...rungs, rolledUp, { ...rolledUp, partial: 'all' }])];
}

/**
 * For everything there is, in the order of the design: older outputs, other history, one more of the newest outputs, and
 * so on; then past decisions, and what was said for live ones. A group is tried where nothing before it fits.
 */
export function allLevels(budgetTokens: number, newest: number): readonly Group[] {
  const rungs = ladder(budgetTokens);
  const over = given(rungs.at(-1) ?? noCompression(budgetTokens, newest), noWhole);
  const last: CompressionLevel = {
    ...given(over, nothing),
    recent: 'line',
    currentState: 'brief',
    past: 'line',
    rollsUpFirst: true,
  };
  return [
    ...countsDown(newest).map((count) => levelsWithNewest(count, rungs, over)),
    reversed([
      { ...given(over, noDigest), recent: 'line', currentState: 'brief' },
      last,
      { ...last, decisions: 'brief' as const },
      { ...last, decisions: 'bare' as const },
      { ...last, decisions: 'bare', currentState: 'few', rollupRoom: minRollup },
    ]),
  ];
}

/** With so many of the newest outputs whole; `over` comes behind the rungs. */
function levelsWithNewest(
  newest: number,
  rungs: readonly CompressionLevel[],
  over: CompressionLevel,
): Group {
  const recent = (['digest', 'line'] as const).map((form): CompressionLevel => ({
    ...over,
    recent: form,
    currentState: 'brief',
    newest,
  }));
  const [, tightest = over] = recent;
  const rolledUp: CompressionLevel = {
    ...given(tightest, nothing),
    past: 'line',
    partial: 'but-past',
    rollsUpFirst: true,
  };
  return reversed([
    ...rungs.map((each): CompressionLevel => ({ ...each, recent: 'digest', newest })),
    ...recent,
    rolledUp,
    { ...rolledUp, partial: 'all' },
    { ...rolledUp, partial: 'all', rollupRoom: minRollup },
  ]);
}

/** The tighter one with windows a part of the way towards those of the other. */
export function between(
  tight: CompressionLevel,
  wide: CompressionLevel,
  part: number,
): CompressionLevel {
  const windows = (from: Windows, to: Windows): Windows => ({
    whole: from.whole + (to.whole - from.whole) * part,
    digest: from.digest + (to.digest - from.digest) * part,
    line: from.line + (to.line - from.line) * part,
  });
  const isSame = tight.history === wide.history || wide.history.whole === Infinity;
  return {
    ...tight,
    outputs: windows(tight.outputs, wide.outputs),
    history: isSame ? tight.history : windows(tight.history, wide.history),
  };
}

/** What other history leaves goes to outputs again: with its windows, outputs as little pressed as each step has them. */
export function withWiderOutputs(
  compression: CompressionLevel,
  budgetTokens: number,
): readonly CompressionLevel[] {
  const { history, newest } = compression;
  if (history === all) return [];
  const wider = steps.map((step): CompressionLevel => ({
    ...atStep(budgetTokens, step),
    outputs: windowsAt(budgetTokens, step.scale),
    history,
    newest,
  }));
  return wider.toReversed().map(asLines);
}

/** Later outputs may be lines: then earlier ones are no digests. */
function asLines(compression: CompressionLevel): CompressionLevel {
  const windows = (each: Windows): Windows =>
    each === all
      ? each
      : { ...each, whole: Math.min(each.whole, 0), digest: Math.min(each.digest, 0) };
  return {
    ...compression,
    outputs: windows(compression.outputs),
    history: windows(compression.history),
  };
}

function ladder(budgetTokens: number): readonly CompressionLevel[] {
  const outputs = steps.map((step): CompressionLevel => ({
    ...atStep(budgetTokens, step),
    outputs: windowsAt(budgetTokens, step.scale),
  }));
  const tight = outputs.at(-1) ?? atStep(budgetTokens, steps[0]);
  const others = steps.map(({ scale }): CompressionLevel => ({
    ...tight,
    history: windowsAt(budgetTokens, scale),
  }));
  return [...outputs, ...others];
}

function countsDown(newest: number): readonly number[] {
  return Array.from({ length: newest + 1 }, (_, less) => newest - less);
}

function reversed(levels: readonly CompressionLevel[]): Group {
  const [first, ...rest] = levels.toReversed();
  if (!first) throw new RangeError('a group has at least one pressure');
  return [first, ...rest];
}

function atStep(
  budgetTokens: number,
  { scale, share, most }: Readonly<{ scale: number; share: number; most: number }>,
): CompressionLevel {
  const characters = budgetTokens * charactersInToken;
  const longest = Math.max(minDigest, Math.ceil(characters * most));
  const room = { name: `${share} ${longest}`, share, least: minDigest, most: longest };
  return {
    outputs: all,
    history: all,
    past: 'told',
    decisions: 'whole',
    fuller: 0,
    newest: 0,
    recent: 'whole',
    currentState: 'whole',
    room,
    partial: 'no',
    rollsUpFirst: false,
    rollupRoom: Math.max(minRollup, Math.ceil(characters * rollupShare * scale)),
  };
}

function given(compression: CompressionLevel, windows: Windows): CompressionLevel {
  return { ...compression, outputs: windows, history: windows };
}

/** The distance from the newest entry, in estimated tokens, up to which entries have a line of their own if anything is shortened. */
export function farthestIncluded(budgetTokens: number): number {
  return windowsAt(budgetTokens, steps[0].scale).line;
}

function windowsAt(budget: number, scale: number): Windows {
  return { whole: budget * 0.45 * scale, digest: budget * 2.5 * scale, line: budget * 5 * scale };
}
