import { type JsonObject } from '#event-sourcing';

import { Staleness } from '../basis/staleness.js';
import { renderDecision } from '../decisions/decision.document.js';
import { type DecisionStatus, decisionFacts } from '../decisions/decision.item.js';
import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { type ChangedItem } from './changed-item.js';

/** A decision that existed before, rendered before and after. */
type ChangedDecision = Readonly<{
  decisionId: string;
  before: JsonObject;
  after: JsonObject;
}>;

/** New decisions, and changes of older ones. */
export type DecisionDifference = Readonly<{
  /**
   * In their state at the end of the range. A decision that was made and superseded within the range is listed only
   * here.
   */
  decisionsMade: readonly JsonObject[];
  decisionsSuperseded: readonly ChangedDecision[];
  decisionsApproved: readonly ChangedDecision[];
  decisionsRejected: readonly ChangedDecision[];
  /** Older decisions that depend on a decision that was superseded. */
  decisionsStale: readonly ChangedDecision[];
  /** Decisions that were superseded, stale or rejected before, and no longer are. */
  decisionsReinstated: readonly ChangedDecision[];
  /** Decisions that no longer exist, as they were before. */
  decisionsWithdrawn: readonly JsonObject[];
}>;

type Side = Readonly<{ items: readonly Item[]; lookup: ItemLookup }>;

/** The decisions of both sides. `isSubject` selects those to compare; the others only serve to compute their status. */
type ComparedSides = Readonly<{
  before: Side;
  after: Side;
  isSubject: (item: ItemKey) => boolean;
}>;

/** A decision that exists on both sides, with its rendered forms. */
type ComparedDecision = Readonly<{
  before: Item;
  after: Item;
  change: ChangedDecision;
}>;

export function compareDecisions(
  changed: readonly ChangedItem[],
  { before, after, isSubject }: ComparedSides,
): DecisionDifference {
  const decisions = changed.filter(({ kind }) => kind === 'decision');
  const older = onBothSides(before, after).filter((decision) => isSubject(decision.after));
  const [was, is] = [rendererOf(before), rendererOf(after)];
  const select = (matches: (decision: ComparedDecision) => boolean) =>
    older.filter(matches).map(({ change }) => change);
  return {
    decisionsMade: decisions.flatMap((change) =>
      change.after && !change.before ? [is(change.after)] : [],
    ),
    decisionsSuperseded: select(becomes('superseded')),
    decisionsApproved: select(isApproved),
    decisionsRejected: select(becomes('rejected')),
    decisionsStale: select(turns('stale', true)),
    decisionsReinstated: select(isReinstated),
    decisionsWithdrawn: decisions.flatMap((change) =>
      change.before && !change.after ? [was(change.before)] : [],
    ),
  };
}

/** Ordered by the latest change. */
function onBothSides(before: Side, after: Side): readonly ComparedDecision[] {
  const [was, is] = [rendererOf(before), rendererOf(after)];
  const decisions = after.items.filter(({ kind }) => kind === 'decision').toSorted(byVersion);
  return decisions.flatMap((item) => {
    const earlier = before.lookup(item.kind, item.key);
    if (!earlier) return [];
    const change = {
      decisionId: item.key,
      before: was(earlier),
      after: is(item),
    };
    return [{ before: earlier, after: item, change }];
  });
}

function byVersion(left: Item, right: Item): number {
  return left.fromVersion - right.fromVersion || (left.key < right.key ? -1 : 1);
}

function rendererOf({ items }: Side): (decision: Item) => JsonObject {
  const staleness = Staleness.of(items);
  return (decision) => renderDecision(decision, staleness);
}

function becomes(status: DecisionStatus): (decision: ComparedDecision) => boolean {
  return ({ before, after }) => statusOf(after) === status && statusOf(before) !== status;
}

/** An approved decision may have been superseded since. */
function isApproved({ before, after }: ComparedDecision): boolean {
  const wasPending = statusOf(before) === 'pending';
  return wasPending && after.state['decided'] !== undefined && statusOf(after) !== 'rejected';
}

function turns(member: 'stale', to: boolean): (decision: ComparedDecision) => boolean {
  return ({ change }) => change.before[member] !== to && change.after[member] === to;
}

function isReinstated(decision: ComparedDecision): boolean {
  const [was, is] = [statusOf(decision.before), statusOf(decision.after)];
  const ended = was === 'superseded' || was === 'rejected';
  return turns('stale', false)(decision) || (ended && (is === 'live' || is === 'pending'));
}

function statusOf(item: Item): DecisionStatus {
  return decisionFacts(item).status;
}
