import { type JsonObject } from '#event-sourcing';

import { Staleness } from '../basis/staleness.js';
import { renderDecision } from '../decisions/decision.document.js';
import { type DecisionStatus, decisionFacts } from '../decisions/decision.item.js';
import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { type ChangedItem } from './changed-item.js';

/** An older decision as it stood and as it stands. */
type ChangedDecision = Readonly<{
  decisionId: string;
  before: JsonObject;
  after: JsonObject;
}>;

/** What was decided, and what has become of older decisions. */
export type DecisionDifference = Readonly<{
  /** With their state at the end of the range: a decision that was made and superseded within it is listed only here. */
  decisionsMade: readonly JsonObject[];
  decisionsSuperseded: readonly ChangedDecision[];
  decisionsApproved: readonly ChangedDecision[];
  decisionsRejected: readonly ChangedDecision[];
  /** What an older decision rests on was superseded. */
  decisionsStale: readonly ChangedDecision[];
  /** Superseded, stale or rejected before, and not any more. */
  decisionsReinstated: readonly ChangedDecision[];
  /** There before and not afterwards, as they stood. */
  decisionsWithdrawn: readonly JsonObject[];
}>;

type Side = Readonly<{ items: readonly Item[]; lookup: ItemLookup }>;

/** Of the decisions on both sides, those that are compared; others only say how these stand. */
type ComparedSides = Readonly<{
  before: Side;
  after: Side;
  isSubject: (item: ItemKey) => boolean;
}>;

/** One decision on both sides, with what the document says of it there. */
type Older = Readonly<{
  before: Item;
  after: Item;
  shown: ChangedDecision;
}>;

export function compareDecisions(
  changed: readonly ChangedItem[],
  { before, after, isSubject }: ComparedSides,
): DecisionDifference {
  const decisions = changed.filter(({ kind }) => kind === 'decision');
  const older = onBothSides(before, after).filter((decision) => isSubject(decision.after));
  const [was, is] = [shownIn(before), shownIn(after)];
  const those = (wanted: (decision: Older) => boolean) =>
    older.filter(wanted).map(({ shown }) => shown);
  return {
    decisionsMade: decisions.flatMap((change) =>
      change.after && !change.before ? [is(change.after)] : [],
    ),
    decisionsSuperseded: those(becomes('superseded')),
    decisionsApproved: those(isApproved),
    decisionsRejected: those(becomes('rejected')),
    decisionsStale: those(turns('stale', true)),
    decisionsReinstated: those(isReinstated),
    decisionsWithdrawn: decisions.flatMap((change) =>
      change.before && !change.after ? [was(change.before)] : [],
    ),
  };
}

/** Those changed last come last. */
function onBothSides(before: Side, after: Side): readonly Older[] {
  const [was, is] = [shownIn(before), shownIn(after)];
  const decisions = after.items.filter(({ kind }) => kind === 'decision').toSorted(byVersion);
  return decisions.flatMap((item) => {
    const earlier = before.lookup(item.kind, item.key);
    if (!earlier) return [];
    const shown = {
      decisionId: item.key,
      before: was(earlier),
      after: is(item),
    };
    return [{ before: earlier, after: item, shown }];
  });
}

function byVersion(left: Item, right: Item): number {
  return left.fromVersion - right.fromVersion || (left.key < right.key ? -1 : 1);
}

function shownIn({ items }: Side): (decision: Item) => JsonObject {
  const staleness = Staleness.of(items);
  return (decision) => renderDecision(decision, staleness);
}

function becomes(status: DecisionStatus): (decision: Older) => boolean {
  return ({ before, after }) => statusOf(after) === status && statusOf(before) !== status;
}

/** Also where it was superseded since. */
function isApproved({ before, after }: Older): boolean {
  const wasPending = statusOf(before) === 'pending';
  return wasPending && after.state['decided'] !== undefined && statusOf(after) !== 'rejected';
}

function turns(member: 'stale', to: boolean): (decision: Older) => boolean {
  return ({ shown }) => shown.before[member] !== to && shown.after[member] === to;
}

function isReinstated(decision: Older): boolean {
  const [was, is] = [statusOf(decision.before), statusOf(decision.after)];
  const ended = was === 'superseded' || was === 'rejected';
  return turns('stale', false)(decision) || (ended && (is === 'live' || is === 'pending'));
}

function statusOf(item: Item): DecisionStatus {
  return decisionFacts(item).status;
}
