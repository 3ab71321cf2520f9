import { type Item } from '../item.js';
import { citedDecisions } from './cited-decisions.js';
import { type EndedDecision } from './ended-index.js';
import { endedDecisions, lostBasis } from './stale-work.js';

/**
 * How a decision comes to rest on `root`, which was superseded: by way of `next`, and what `next` rests on. The label of a
 * root itself has no `next`.
 */
type Label = Readonly<{ decisionId: string; root: string; next: Label | undefined }>;

/** A decision is not stale for what it superseded itself, and may have another reason: that is one of two. */
const mostLabels = 2;

/**
 * Which decisions and other work rest on a decision that was superseded, at first or second hand: `requires`, `implies` and
 * `enables` pass that on, `relates` does not. Takes time in proportion to the decisions and the links between them.
 */
export class Staleness {
  static readonly none = new Staleness([], new Map());

  /** Of the decisions among these items; others are passed over. */
  static of(items: Iterable<Item>): Staleness {
    const decisions = Array.from(items).filter(({ kind }) => kind === 'decision');
    const ended = endedDecisions(decisions);
    if (ended.length === 0) return Staleness.none;
    return new Staleness(ended, labelsOf(decisions, ended));
  }

  private constructor(
    /** Decisions that were in force and are not any more. */
    readonly ended: readonly EndedDecision[],
    private readonly labels: ReadonlyMap<string, readonly Label[]>,
  ) {}

  /** The decisions from the one that an item names, or had read, to the superseded one; undefined if it is not stale. */
  pathOf(item: Item): readonly string[] | undefined {
    if (item.kind === 'decision') {
      const [label] = this.labels.get(item.key) ?? [];
      return label && pathFrom(label.next);
    }
    const lost = lostBasis(item, this.ended);
    return lost && [lost.decisionId];
  }
}

function pathFrom(label: Label | undefined): readonly string[] {
  const path: string[] = [];
  for (let at = label; at; at = at.next) path.push(at.decisionId);
  return path;
}

/** Breadth first, so that paths are the shortest. */
function labelsOf(decisions: readonly Item[], ended: readonly EndedDecision[]) {
  const sorted = decisions.toSorted(byKey);
  const citing = citingBy(sorted);
  const labels = new Map<string, Label[]>();
  const reached: Label[] = [];
  const reach = (item: Item, next: Label) => {
    const found = labels.get(item.key) ?? [];
    const isKnown = found.length >= mostLabels || found.some(({ root }) => root === next.root);
    if (isKnown || item.state['supersedes'] === next.root) return;
    const label = { decisionId: item.key, root: next.root, next };
    labels.set(item.key, [...found, label]);
    // What rests on a superseded decision is stale for that one already.
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

/** The decisions that name each one. */
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
  return { decisionId, root: decisionId, next: undefined };
}

function byKey(left: Item, right: Item): number {
  return left.key < right.key ? -1 : 1;
}
