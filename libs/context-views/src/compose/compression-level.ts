import { type DigestRoom } from '../entries/entry-text.js';
import { type Segment } from '../segments/segment.js';

/** The maximum distances from the newest entry, in estimated tokens, of whole entries, digests and lines. */
export type Windows = Readonly<{ whole: number; digest: number; line: number }>;

/** How much each part of a view is shortened. */
export type CompressionLevel = Readonly<{
  outputs: Windows;
  history: Windows;
  room: DigestRoom;
  /** How many of the newest outputs stay whole at any distance. */
  newest: number;
  /** The form of entries that are not settled, except the newest outputs. */
  recent: 'whole' | 'digest' | 'line';
  past: 'by-distance' | 'line';
  decisions: 'whole' | 'brief' | 'bare';
  /** How many of the newest live decisions have the next fuller form than `decisions`. */
  fuller: number;
  currentState: 'whole' | 'brief' | 'few';
  /** Maximum characters of a roll-up. */
  rollupRoom: number;
  /**
   * Whether the newest group, which later versions will join, is rolled up: not, except past decisions, or all of it.
   */
  partial: 'no' | 'but-past' | 'all';
  /** Whether the first output is rolled up too, although it may state the task. */
  rollsUpFirst: boolean;
}>;

/** The layout of settled entries, and the list of facts after them. */
export type SettledLayout = Readonly<{
  compression: CompressionLevel;
  mentions: Segment | undefined;
}>;

const all: Windows = { whole: Infinity, digest: Infinity, line: Infinity };
/** No entry is whole; then no entry is a digest; then no entry that could be in a roll-up has a line. */
const noWhole: Windows = { whole: -Infinity, digest: 0, line: 0 };
const noDigest: Windows = { whole: -Infinity, digest: -Infinity, line: 0 };
const noLine: Windows = { whole: -Infinity, digest: -Infinity, line: -Infinity };

/**
 * The steps of compression: the scale of windows, the share of a payload in its digest, and the longest digest as a
 * part of the budget.
 */
const steps = [
  { scale: 1, share: 0.5, limit: 0.3 },
  { scale: 0.8, share: 0.5, limit: 0.3 },
  { scale: 0.64, share: 0.3, limit: 0.18 },
  { scale: 0.5, share: 0.3, limit: 0.18 },
  { scale: 0.4, share: 0.18, limit: 0.1 },
  { scale: 0.3, share: 0.18, limit: 0.1 },
  { scale: 0.2, share: 0.1, limit: 0.05 },
  { scale: 0.12, share: 0.1, limit: 0.05 },
  { scale: 0.06, share: 0.1, limit: 0.05 },
] as const;

const charactersInToken = 4;
const minDigest = 160;
const minRollup = 160;
/** The share of the budget for each roll-up. Their number is at most the number of binary digits of the group count. */
const rollupShare = 0.12;

/** Levels from the most compressed one to the least compressed one. */
export type LevelGroup = readonly [CompressionLevel, ...CompressionLevel[]];

/** The level that shortens nothing. */
export function noCompression(budgetTokens: number, newest: number): CompressionLevel {
  return { ...atStep(budgetTokens, steps[0]), newest };
}

/** Levels for settled entries alone. Outputs are lines or rolled up. They are shortened first, then other history. */
export function settledLevels(budgetTokens: number, newest: number): readonly LevelGroup[] {
  const rungs = ladder(budgetTokens).map((each): CompressionLevel => asLines({ ...each, newest }));
  const last = rungs.at(-1) ?? noCompression(budgetTokens, newest);
  const rolledUp: CompressionLevel = {
    ...withWindows(last, noLine),
    past: 'line',
    partial: 'but-past',
  };
  return [reversed([...rungs, rolledUp, { ...rolledUp, partial: 'all' }])];
}

/**
 * Levels for all entries, in the order in which content is shortened: older outputs, other history, one more of the
 * newest outputs, and so on; then past decisions, and the rationale of live ones. A group is tried if no earlier group
 * fits.
 */
export function allLevels(budgetTokens: number, newest: number): readonly LevelGroup[] {
  const rungs = ladder(budgetTokens);
  const over = withWindows(rungs.at(-1) ?? noCompression(budgetTokens, newest), noWhole);
  const last: CompressionLevel = {
    ...withWindows(over, noLine),
    recent: 'line',
    currentState: 'brief',
    past: 'line',
    rollsUpFirst: true,
  };
  return [
    ...countsDown(newest).map((count) => levelsWithNewest(count, rungs, over)),
    reversed([
      { ...withWindows(over, noDigest), recent: 'line', currentState: 'brief' },
      last,
      { ...last, decisions: 'brief' as const },
      { ...last, decisions: 'bare' as const },
      { ...last, decisions: 'bare', currentState: 'few', rollupRoom: minRollup },
    ]),
  ];
}

/** Levels with `newest` of the newest outputs whole; `over` is the level after the last of `rungs`. */
function levelsWithNewest(
  newest: number,
  rungs: readonly CompressionLevel[],
  over: CompressionLevel,
): LevelGroup {
  const recent = (['digest', 'line'] as const).map((form): CompressionLevel => ({
    ...over,
    recent: form,
    currentState: 'brief',
    newest,
  }));
  const [, tightest = over] = recent;
  const rolledUp: CompressionLevel = {
    ...withWindows(tightest, noLine),
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

/** The tighter level with its windows widened by a fraction (`part`) of the distance to those of the wider one. */
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

/**
 * Levels with the same windows for other history and wider ones for outputs, which get the room that other history
 * leaves.
 */
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

/** Later outputs may be lines, so no earlier output is whole or a digest. */
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

/**
 * Levels (rungs) from the least to the most compressed one: first the windows of outputs become narrower, then those of
 * other history.
 */
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

function reversed(levels: readonly CompressionLevel[]): LevelGroup {
  const [first, ...rest] = levels.toReversed();
  if (!first) throw new RangeError('a group has at least one level');
  return [first, ...rest];
}

function atStep(
  budgetTokens: number,
  { scale, share, limit }: Readonly<{ scale: number; share: number; limit: number }>,
): CompressionLevel {
  const characters = budgetTokens * charactersInToken;
  const longest = Math.max(minDigest, Math.ceil(characters * limit));
  const room = { name: `${share} ${longest}`, share, min: minDigest, limit: longest };
  return {
    outputs: all,
    history: all,
    past: 'by-distance',
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

function withWindows(compression: CompressionLevel, windows: Windows): CompressionLevel {
  return { ...compression, outputs: windows, history: windows };
}

/**
 * The distance from the newest entry, in estimated tokens, up to which entries have separate lines in a shortened
 * view.
 */
export function farthestIncluded(budgetTokens: number): number {
  return windowsAt(budgetTokens, steps[0].scale).line;
}

function windowsAt(budget: number, scale: number): Windows {
  return { whole: budget * 0.45 * scale, digest: budget * 2.5 * scale, line: budget * 5 * scale };
}
