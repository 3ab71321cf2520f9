import { type Item } from '../item.js';
import { citedDecisions } from './cited-decisions.js';
import { type EndedDecision } from './ended-index.js';
import { endedDecisions, lostBasis } from './stale-work.js';

/**
 * The decisions from the one that an item names, or that its author had read, to the superseded one. If the path is
 * longer than {@link longestPath}, `decisionIds` holds the ids at its two ends, and `length` their full number.
 */
export type StalePath = Readonly<{ decisionIds: readonly string[]; length: number }>;

/** A chain may have thousands of decisions, each of which has a path. */
const longestPath = 8;

/**
 * The path by which a decision depends on the superseded decision `root`: through the label `next`, which is undefined
 * for the root itself. `length`: the length of the path; `end`: the last ids on it.
 */
type Label = Readonly<{
  decisionId: string;
  root: string;
  next: Label | undefined;
  length: number;
  end: readonly string[];
}>;

/**
 * Labels per decision. A decision is not stale because of a root that it superseded itself, so a second label is
 * needed.
 */
const maxLabels = 2;

/**
 * Finds the decisions and other work that depend on a superseded decision, directly or transitively: through
 * `requires`, `implies` and `enables`, but not through `relates`. Takes time in proportion to the decisions and the
 * links between them.
 */
export class Staleness {
  static readonly none = new Staleness([], new Map());

  /** Reads the decisions among these items and ignores the others. */
  static of(items: Iterable<Item>): Staleness {
    const decisions = Array.from(items).filter(({ kind }) => kind === 'decision');
    const ended = endedDecisions(decisions);
    if (ended.length === 0) return Staleness.none;
    return new Staleness(ended, labelsOf(decisions, ended));
  }

  private constructor(
    /** Decisions that are no longer in force. */
    readonly ended: readonly EndedDecision[],
    private readonly labels: ReadonlyMap<string, readonly Label[]>,
  ) {}

  /** Undefined if the item is not stale. */
  pathOf(item: Item): StalePath | undefined {
    if (item.kind === 'decision') {
      const [label] = this.labels.get(item.key) ?? [];
      return label && pathFrom(label.next);
    }
    const lost = lostBasis(item, this.ended);
    return lost && pathFrom(rootLabel(lost.decisionId));
  }
}

const openStatuses: ReadonlySet<unknown> = new Set(['live', 'pending']);

/** Whether a decision among these items is stale, and in force or waiting for its approval. */
export function hasStaleDecision(items: Iterable<Item>): boolean {
  const decisions = Array.from(items).filter(({ kind }) => kind === 'decision');
  const staleness = Staleness.of(decisions);
  return decisions.some(
    (item) => openStatuses.has(item.state['status']) && staleness.pathOf(item) !== undefined,
  );
}

/** The formatted names of a path, with an ellipsis in place of the omitted ones. */
export function withGap(
  names: readonly string[],
  { decisionIds, length }: StalePath,
): readonly string[] {
  if (decisionIds.length === length) return names;
  const half = longestPath / 2;
  return [...names.slice(0, half), `… (${length - decisionIds.length} more)`, ...names.slice(half)];
}

function pathFrom(label: Label | undefined): StalePath | undefined {
  if (!label) return undefined;
  const { length, end } = label;
  const start: string[] = [];
  const names = Math.min(length, longestPath) - end.length;
  for (let at: Label | undefined = label; at && start.length < names; at = at.next)
    start.push(at.decisionId);
  return { decisionIds: [...start, ...end], length };
}

/** Searches breadth first, so that each path is a shortest one. */
function labelsOf(decisions: readonly Item[], ended: readonly EndedDecision[]) {
  const sorted = decisions.toSorted(byKey);
  const citing = citingBy(sorted);
  const labels = new Map<string, Label[]>();
  const reached: Label[] = [];
  const reach = (item: Item, next: Label) => {
    const found = labels.get(item.key) ?? [];
    const isKnown = found.length >= maxLabels || found.some(({ root }) => root === next.root);
    if (isKnown || item.state['supersedes'] === next.root) return;
    const label = labelBefore(next, item.key);
    labels.set(item.key, [...found, label]);
    // Dependents of a superseded decision are stale because of that decision already.
    if (item.state['status'] !== 'superseded') reached.push(label);
  };
  const spread = (label: Label) => {
    for (const item of citing.get(label.decisionId) ?? []) reach(item, label);
  };
  const roots = sorted.filter(({ state }) => state['status'] === 'superseded');
  for (const { key } of roots) spread(rootLabel(key));
  for (const item of sorted) {
    const lost = lostBasis(item, ended);
    if (lost) reach(item, rootLabel(lost.decisionId));
  }
  for (const label of reached) spread(label);
  return labels;
}

/** The decisions that cite each decision. */
function citingBy(decisions: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  const citing = new Map<string, Item[]>();
  for (const item of decisions)
    for (const { key } of citedDecisions(item)) {
      const known = citing.get(key);
      if (known) known.push(item);
      else citing.set(key, [item]);
    }
  return citing;
}

function rootLabel(decisionId: string): Label {
  return { decisionId, root: decisionId, next: undefined, length: 1, end: [decisionId] };
}

/** The labels of a chain share `end`, so that each of them takes constant time and memory. */
function labelBefore(next: Label, decisionId: string): Label {
  const { root, length, end } = next;
  const isNearRoot = end.length < longestPath / 2;
  return {
    decisionId,
    root,
    next,
    length: length + 1,
    end: isNearRoot ? [decisionId, ...end] : end,
  };
}

function byKey(left: Item, right: Item): number {
  return left.key < right.key ? -1 : 1;
}
