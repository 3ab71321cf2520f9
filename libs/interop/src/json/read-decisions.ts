import { type JsonValue } from '#event-sourcing';

import { itemRef } from '../documents/item-ref.js';
import { defined } from './defined.js';
import { type JsonDraft } from './json-draft.js';
import { ItemNames } from './item-names.js';
import { JsonEntry } from './json-entry.js';
import { type JsonPart } from './json-part.js';
import { planRecord } from './plan-record.js';
import { EntryOrder } from './entry-order.js';

const relations = ['enables', 'requires', 'implies', 'relates'] as const;
const endings = ['pending', 'rejected', 'deprecated', 'superseded', 'live'] as const;

/**
 * Reads the decisions of a list, with the member names that documents use. An entry that is not a decision becomes a
 * record.
 */
export function readDecisions(draft: JsonDraft, list: string, elements: readonly JsonPart[]): void {
  const state = { names: new ItemNames(), live: new Set<string>(), order: new EntryOrder(), list };
  for (const [at, element] of elements.entries())
    readDecision(draft, element, { ...state, otherwise: `decision-${at + 1}` });
}

/** `live`: earlier decisions that are not superseded. */
type ListState = Readonly<{
  names: ItemNames;
  live: Set<string>;
  order: EntryOrder;
  otherwise: string;
  list: string;
}>;

function readDecision(draft: JsonDraft, element: JsonPart, state: ListState): void {
  const entry = new JsonEntry(draft, element);
  const decisionId = idIn(draft, entry, state);
  const origin = {
    agentId: entry.agent('made_by', 'agent', 'agent_id'),
    timestamp: entry.time('timestamp'),
  };
  const order = state.order.next(origin.timestamp);
  const decision = entry.text('decision', 'summary', 'title');
  if (decision === undefined)
    return planRecord(draft, element, {
      recordId: decisionId,
      title: state.list,
      origin,
      order,
      reason: 'a decision needs a text that states the decision',
    });
  const status = entry.oneOf('status', endings);
  const data = defined({
    decisionId,
    decision,
    rationale: entry.text('rationale', 'reasoning', 'reason', 'description'),
    alternativesConsidered: entry.anyOf('alternatives_considered', 'alternatives')?.value(),
    tradeOffs: entry.json('trade_offs'),
    relatedRequirements: entry.texts('related_requirements'),
    relatedDecisions: relatedIn(draft, entry.member('related_decisions')),
    supersedes: replacedBy(draft, entry.member('supersedes'), state),
    date: dayIn(entry),
    ...endingOf(status),
  });
  entry.finish();
  const item = itemRef('decision', decisionId);
  if (!draft.plan(element, { item, type: 'DecisionRecorded', data, origin, order })) return;
  draft.claim(element, [item]);
  if (Object.keys(endingOf(status)).length === 0) state.live.add(decisionId);
}

const day = /^\d{4}-\d{2}-\d{2}$/;

/** The day of a decision, if the member is a day. */
function dayIn(entry: JsonEntry): string | undefined {
  const date = entry.json('date');
  return typeof date === 'string' && day.test(date) ? date : undefined;
}

/** A superseded decision has no ending: the decision that supersedes it follows in the list. */
function endingOf(status: (typeof endings)[number] | undefined): object {
  if (status === 'pending') return { requiresApproval: true };
  if (status === 'rejected' || status === 'deprecated') return { [status]: true };
  return {};
}

function idIn(draft: JsonDraft, entry: JsonEntry, { names, otherwise }: ListState): string {
  const part = entry.anyOf('id', 'decision_id');
  const stated = part?.value();
  const id = names.take(typeof stated === 'string' ? stated : undefined, otherwise);
  if (part && stated !== id)
    draft.note(
      part,
      'changed',
      `this id is used already or not valid for a decision: it becomes "${id}"`,
    );
  return id;
}

/** Reads ids, or objects with an id and a relation. */
function relatedIn(draft: JsonDraft, list: JsonPart | undefined) {
  if (!list) return undefined;
  if (!list.isArray) draft.note(list, 'text', 'expected a list of ids of decisions');
  return list.elements().flatMap((element) => {
    const entry = new JsonEntry(draft, element);
    const stated: JsonValue = element.isObject ? (entry.text('id') ?? null) : element.value();
    const relation = entry.oneOf('relation', relations) ?? 'relates';
    if (typeof stated === 'string' && stated !== '') return [{ decisionId: stated, relation }];
    draft.note(element, 'text', 'expected an id of a decision');
    return [];
  });
}

function replacedBy(draft: JsonDraft, part: JsonPart | undefined, { live }: ListState) {
  const id = part?.value();
  if (!part || typeof id !== 'string') return undefined;
  if (live.delete(id)) return id;
  draft.note(part, 'text', 'does not name an earlier decision that is still in force');
  return undefined;
}
