import { type JsonObject } from '#event-sourcing';

import { renderDecision } from '../decisions/decision.document.js';
import { type DecisionStatus, decisionFacts } from '../decisions/decision.item.js';
import { type Item, type ItemLookup } from '../item.js';
import { type ChangedItem } from './changed-item.js';

/** What was decided, and what has become of older decisions; each as it stands afterwards. */
export type DecisionDifference = Readonly<{
  decisionsMade: readonly JsonObject[];
  decisionsSuperseded: readonly JsonObject[];
  decisionsApproved: readonly JsonObject[];
  decisionsRejected: readonly JsonObject[];
  /** What an older decision rests on was superseded. */
  decisionsStale: readonly JsonObject[];
  /** Superseded, stale or rejected before, and not any more. */
  decisionsReinstated: readonly JsonObject[];
  /** There before and not afterwards, as they stood. */
  decisionsWithdrawn: readonly JsonObject[];
}>;

type Side = Readonly<{ items: readonly Item[]; lookup: ItemLookup }>;

export function compareDecisions(
  changed: readonly ChangedItem[],
  before: Side,
  after: Side,
): DecisionDifference {
  const decisions = changed.filter(({ kind }) => kind === 'decision');
  const shown = (items: readonly (Item | undefined)[], { lookup }: Side) =>
    items.flatMap((item) => (item ? [renderDecision(item, lookup)] : []));
  const became = (status: DecisionStatus) =>
    shown(
      decisions.filter((change) => reached(change, status)).map((change) => change.after),
      after,
    );
  const older = after.items.filter(
    ({ kind, key }) => kind === 'decision' && before.lookup(kind, key),
  );
  return {
    decisionsMade: shown(
      decisions.filter((change) => !change.before).map((change) => change.after),
      after,
    ),
    decisionsSuperseded: became('superseded'),
    decisionsApproved: shown(
      decisions.filter(isApproved).map((change) => change.after),
      after,
    ),
    decisionsRejected: became('rejected'),
    decisionsStale: shown(older.filter(turned(before, after, true)), after),
    decisionsReinstated: shown(older.filter(isReinstated(before, after)), after),
    decisionsWithdrawn: shown(
      decisions.filter((change) => !change.after).map((change) => change.before),
      before,
    ),
  };
}

/** Decisions made meanwhile are told by `decisionsMade` alone. */
function reached({ before, after }: ChangedItem, status: DecisionStatus): boolean {
  return statusOf(after) === status && before !== undefined && statusOf(before) !== status;
}

/** Also where it was superseded since. */
function isApproved({ before, after }: ChangedItem): boolean {
  const wasPending = statusOf(before) === 'pending';
  return wasPending && after?.state['decided'] !== undefined && statusOf(after) !== 'rejected';
}

/** Whether an older decision became stale (`to` true), or stopped being so. */
function turned(before: Side, after: Side, to: boolean): (item: Item) => boolean {
  return (item) => {
    const earlier = before.lookup(item.kind, item.key);
    return earlier !== undefined && isStale(earlier, before) !== to && isStale(item, after) === to;
  };
}

function isReinstated(before: Side, after: Side): (item: Item) => boolean {
  const refreshed = turned(before, after, false);
  return (item) => {
    const earlier = statusOf(before.lookup(item.kind, item.key));
    const ended = earlier === 'superseded' || earlier === 'rejected';
    return (
      refreshed(item) || (ended && statusOf(item) !== earlier && statusOf(item) !== 'superseded')
    );
  };
}

function isStale(item: Item, { lookup }: Side): boolean {
  return renderDecision(item, lookup)['stale'] === true;
}

function statusOf(item: Item | undefined): DecisionStatus | undefined {
  return item && decisionFacts(item).status;
}
