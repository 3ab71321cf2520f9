import { type DigestRoom } from '../entries/entry-text.js';
import { type Segment } from '../segments/segment.js';

/** How far behind the newest entry, in estimated tokens, an entry is at most whole, a digest, a line. */
export type Windows = Readonly<{ whole: number; digest: number; line: number }>;

/** What gives way, and how much of it. */
export type Pressure = Readonly<{
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
  standing: 'whole' | 'brief' | 'few';
  /** Characters of a roll-up. */
  rollupRoom: number;
  /** The newest versions are rolled up too, although more will come into their group; or all but past decisions. */
  partial: 'no' | 'but-past' | 'all';
  /** The first output is rolled up too, although it may say what the work is about. */
  rollsUpFirst: boolean;
}>;

/** How settled entries are laid out, and the facts that are listed behind them. */
export type SettledLayout = Readonly<{ pressure: Pressure; mentions: Segment | undefined }>;

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
const leastDigest = 160;
const leastRollup = 160;
/** Of the budget, for each roll-up: there are as many as the number of groups has binary digits. */
const rollupShare = 0.12;

/** From what gives way most to what gives way least. */
export type Group = readonly [Pressure, ...Pressure[]];

/** Nothing gives way. */
export function calmPressure(budgetTokens: number, newest: number): Pressure {
  return { ...atStep(budgetTokens, steps[0]), newest };
}

/** For what is settled, without what came since: outputs are lines or rolled up; they give way first, then other history. */
export function settledPressures(budgetTokens: number, newest: number): readonly Group[] {
  const rungs = ladder(budgetTokens).map((each): Pressure => asLines({ ...each, newest }));
  const last = rungs.at(-1) ?? calmPressure(budgetTokens, newest);
  const rolledUp: Pressure = { ...given(last, nothing), past: 'line', partial: 'but-past' };
  return [reversed([...rungs, rolledUp, { ...rolledUp, partial: 'all' }])];
}

/**
 * For everything there is, in the order of the design: older outputs, other history, one more of the newest outputs, and
 * so on; then past decisions, and what was said for live ones. A group is tried where nothing before it fits.
 */
export function allPressures(budgetTokens: number, newest: number): readonly Group[] {
  const rungs = ladder(budgetTokens);
  const over = given(rungs.at(-1) ?? calmPressure(budgetTokens, newest), noWhole);
  const last: Pressure = {
    ...given(over, nothing),
    recent: 'line',
    standing: 'brief',
    past: 'line',
    rollsUpFirst: true,
  };
  return [
    ...countsDown(newest).map((count) => pressuresWithNewest(count, rungs, over)),
    reversed([
      { ...given(over, noDigest), recent: 'line', standing: 'brief' },
      last,
      { ...last, decisions: 'brief' as const },
      { ...last, decisions: 'bare' as const },
      { ...last, decisions: 'bare', standing: 'few', rollupRoom: leastRollup },
    ]),
  ];
}

/** With so many of the newest outputs whole; `over` comes behind the rungs. */
function pressuresWithNewest(newest: number, rungs: readonly Pressure[], over: Pressure): Group {
  const recent = (['digest', 'line'] as const).map((form): Pressure => ({
    ...over,
    recent: form,
    standing: 'brief',
    newest,
  }));
  const [, tightest = over] = recent;
  const rolledUp: Pressure = {
    ...given(tightest, nothing),
    past: 'line',
    partial: 'but-past',
    rollsUpFirst: true,
  };
  return reversed([
    ...rungs.map((each): Pressure => ({ ...each, recent: 'digest', newest })),
    ...recent,
    rolledUp,
    { ...rolledUp, partial: 'all' },
    { ...rolledUp, partial: 'all', rollupRoom: leastRollup },
  ]);
}

/** The tighter one with windows a part of the way towards those of the other. */
export function between(tight: Pressure, wide: Pressure, part: number): Pressure {
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
export function withWiderOutputs(pressure: Pressure, budgetTokens: number): readonly Pressure[] {
  const { history, newest } = pressure;
  if (history === all) return [];
  const wider = steps.map((step): Pressure => ({
    ...atStep(budgetTokens, step),
    outputs: windowsAt(budgetTokens, step.scale),
    history,
    newest,
  }));
  return wider.toReversed().map(asLines);
}

/** Later outputs may be lines: then earlier ones are no digests. */
function asLines(pressure: Pressure): Pressure {
  const windows = (each: Windows): Windows =>
    each === all
      ? each
      : { ...each, whole: Math.min(each.whole, 0), digest: Math.min(each.digest, 0) };
  return { ...pressure, outputs: windows(pressure.outputs), history: windows(pressure.history) };
}

function ladder(budgetTokens: number): readonly Pressure[] {
  const outputs = steps.map((step): Pressure => ({
    ...atStep(budgetTokens, step),
    outputs: windowsAt(budgetTokens, step.scale),
  }));
  const tight = outputs.at(-1) ?? atStep(budgetTokens, steps[0]);
  const others = steps.map(({ scale }): Pressure => ({
    ...tight,
    history: windowsAt(budgetTokens, scale),
  }));
  return [...outputs, ...others];
}

function countsDown(newest: number): readonly number[] {
  return Array.from({ length: newest + 1 }, (_, less) => newest - less);
}

function reversed(pressures: readonly Pressure[]): Group {
  const [first, ...rest] = pressures.toReversed();
  if (!first) throw new RangeError('a group has at least one pressure');
  return [first, ...rest];
}

function atStep(
  budgetTokens: number,
  { scale, share, most }: Readonly<{ scale: number; share: number; most: number }>,
): Pressure {
  const characters = budgetTokens * charactersInToken;
  const longest = Math.max(leastDigest, Math.ceil(characters * most));
  const room = { name: `${share} ${longest}`, share, least: leastDigest, most: longest };
  return {
    outputs: all,
    history: all,
    past: 'told',
    decisions: 'whole',
    fuller: 0,
    newest: 0,
    recent: 'whole',
    standing: 'whole',
    room,
    partial: 'no',
    rollsUpFirst: false,
    rollupRoom: Math.max(leastRollup, Math.ceil(characters * rollupShare * scale)),
  };
}

function given(pressure: Pressure, windows: Windows): Pressure {
  return { ...pressure, outputs: windows, history: windows };
}

/** The distance from the newest entry, in estimated tokens, up to which entries have a line of their own if anything is shortened. */
export function farthestShown(budgetTokens: number): number {
  return windowsAt(budgetTokens, steps[0].scale).line;
}

function windowsAt(budget: number, scale: number): Windows {
  return { whole: budget * 0.45 * scale, digest: budget * 2.5 * scale, line: budget * 5 * scale };
}
