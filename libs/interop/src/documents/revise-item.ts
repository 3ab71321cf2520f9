import { type DecisionFacts } from './decision-facts.js';
import { type PlannedEvent } from './document-format.js';
import { type ItemRevisions } from './item-revisions.js';
import { itemOfRef } from './item-ref.js';
import { patchBetween } from './merge-patch.js';

/** The events of one item in an earlier revision of its document, and in the new one. */
type RevisedItem = Readonly<{
  item: string;
  known: readonly PlannedEvent[];
  planned: readonly PlannedEvent[];
}>;

/** Types that create an item and are refused if an existing item differs. */
const statedOnce: ReadonlySet<string> = new Set([
  'DecisionRecorded',
  'RecordAppended',
  'ReviewRecorded',
  'HandoverNoted',
  'RiskRaised',
  'BlockerRaised',
]);

/** The events that change an item from its earlier revision to the new one; none if both are the same. */
export function reviseItem(
  revised: RevisedItem,
  revisions: ItemRevisions,
  decisions: DecisionFacts,
): readonly PlannedEvent[] {
  const { item, known, planned } = revised;
  const [before] = known;
  const [now] = planned;
  if (!before || !now || !statedOnce.has(now.event.type) || isSame(before, now))
    return difference(revised).map((event) => revisions.rename(event));
  const verdict = verdictOn(before, now, decisions, revisions);
  if (verdict) return [verdict, ...difference({ item, known, planned: planned.slice(1) })];
  const replaced = revisions.begin(item);
  return planned.map((event) => superseding(revisions.rename(event), replaced, decisions));
}

/** The events of the new revision that the earlier one does not have. */
function difference({ known, planned }: RevisedItem): readonly PlannedEvent[] {
  const counts = new Map<string, number>();
  for (const event of known) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  const added = planned.filter((event) => {
    const left = counts.get(keyOf(event)) ?? 0;
    counts.set(keyOf(event), left - 1);
    return left <= 0;
  });
  return [...added.flatMap((event) => changedValues(event, known)), ...reopened(known, planned)];
}

/** A merge patch contains only changed values, and null for removed ones, which would stay otherwise. */
function changedValues(
  planned: PlannedEvent,
  known: readonly PlannedEvent[],
): readonly PlannedEvent[] {
  const { event } = planned;
  if (event.type !== 'GlobalContextSet' && event.type !== 'PreferencesSet') return [planned];
  const before = known.find((one) => one.event.type === event.type)?.event;
  if (before?.type !== event.type) return [planned];
  const values = patchBetween(before.data.values, event.data.values);
  return Object.keys(values).length === 0
    ? []
    : [{ ...planned, event: { ...event, data: { values } } }];
}

/** A task that only the earlier revision marks as done is started again. */
function reopened(
  known: readonly PlannedEvent[],
  planned: readonly PlannedEvent[],
): readonly PlannedEvent[] {
  const isDone = ({ event }: PlannedEvent) => event.type === 'TaskCompleted';
  const last = planned.at(-1);
  if (!last || !known.some(isDone) || planned.some(isDone)) return [];
  if (planned.some(({ event }) => event.type === 'TaskStarted')) return [];
  const taskId = itemOfRef(last.item).key;
  return [{ ...last, event: { type: 'TaskStarted', data: { taskId } } }];
}

/** The approval or rejection of a pending decision, if the new revision changes nothing else. */
function verdictOn(
  before: PlannedEvent,
  now: PlannedEvent,
  { isPending }: DecisionFacts,
  revisions: ItemRevisions,
): PlannedEvent | undefined {
  if (before.event.type !== 'DecisionRecorded' || now.event.type !== 'DecisionRecorded')
    return undefined;
  const { requiresApproval, ...proposed } = before.event.data;
  const { rejected, ...decided } = now.event.data;
  if (requiresApproval !== true || JSON.stringify(proposed) !== JSON.stringify(decided))
    return undefined;
  const decisionId = revisions.currentId('decision', itemOfRef(now.item).key);
  if (!isPending(decisionId)) return undefined;
  const type = rejected ? 'DecisionRejected' : 'DecisionApproved';
  return { ...now, item: revisions.current(now.item), event: { type, data: { decisionId } } };
}

/** A changed decision supersedes the previous one if that is in force. */
function superseding(
  planned: PlannedEvent,
  replaced: string,
  { isLive }: DecisionFacts,
): PlannedEvent {
  const { event } = planned;
  if (event.type !== 'DecisionRecorded' || event.data.rejected || !isLive(replaced)) return planned;
  return { ...planned, event: { ...event, data: { ...event.data, supersedes: replaced } } };
}

function isSame(left: PlannedEvent, right: PlannedEvent): boolean {
  return keyOf(left) === keyOf(right);
}

/** A change of authors or times in a later revision is not a change of the item. */
function keyOf({ event }: PlannedEvent): string {
  return JSON.stringify(event);
}
