import { type JsonObject } from '#event-sourcing';

import { type EventData, type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { basisOf } from '../basis/stale-work.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { asJson, defined } from '../json.js';
import {
  type DecisionStatus,
  decisionCounterKey,
  lastDecisionNumber,
  topicKey,
} from './decision.item.js';
import { decisionKey } from '../item-keys.js';
import { numberOf } from './decision-number.js';

/** The effects of a live decision on other items. */
type Effect = Readonly<{
  decisionId: string;
  topic?: string | undefined;
  supersedes?: string | undefined;
}>;

export const decisionFolds: EventFolds<
  'DecisionRecorded' | 'DecisionApproved' | 'DecisionRejected'
> = {
  DecisionRecorded: {
    touches: ({ data }) => [
      decisionKey(data.decisionId),
      ...(numberOf(data.decisionId) === undefined ? [] : [decisionCounterKey]),
      ...effectKeys(effectOf(data)),
    ],
    fold: (event, current) => [
      decisionItem(event),
      ...counterChanges(event.data.decisionId, current),
      ...effects(effectOf(event.data), current),
    ],
  },
  DecisionApproved: {
    touches: ({ data }) => [decisionKey(data.decisionId), ...effectKeys(data)],
    fold: (event, current) => [
      ...verdictChanges(event, 'live', current),
      ...effects(event.data, current),
    ],
  },
  DecisionRejected: {
    touches: ({ data }) => [decisionKey(data.decisionId)],
    fold: (event, current) => verdictChanges(event, 'rejected', current),
  },
};

/** The status of a decision when it is recorded. */
export function recordedStatus({
  requiresApproval,
  rejected,
  deprecated,
}: Pick<
  EventData<'DecisionRecorded'>,
  'requiresApproval' | 'rejected' | 'deprecated'
>): DecisionStatus {
  if (rejected) return 'rejected';
  if (deprecated) return 'deprecated';
  return requiresApproval ? 'pending' : 'live';
}

/** A deprecated decision was in force earlier: it supersedes another one, but no longer occupies its topic. */
function effectOf(data: EventData<'DecisionRecorded'>): Effect {
  const { decisionId, topic, supersedes } = data;
  const status = recordedStatus(data);
  return {
    decisionId,
    topic: status === 'live' ? topic : undefined,
    supersedes: status === 'live' || status === 'deprecated' ? supersedes : undefined,
  };
}

function decisionItem(event: RecordedOf<'DecisionRecorded'>): ItemChange {
  const { decisionId, topic, supersedes } = event.data;
  const status = recordedStatus(event.data);
  return {
    ...decisionKey(decisionId),
    state: asJson(
      defined({
        status,
        version: event.version,
        agentId: authorOf(event),
        timestamp: happenedAt(event),
        topic,
        supersedes,
        ...basisOf(event),
      }),
    ),
    body: asJson(event.data),
  };
}

function counterChanges(decisionId: string, current: ItemLookup): readonly ItemChange[] {
  const number = numberOf(decisionId);
  if (number === undefined || number <= lastDecisionNumber(current)) return [];
  return [{ ...decisionCounterKey, state: { value: number }, body: undefined }];
}

function effectKeys({ topic, supersedes }: Effect): readonly ItemKey[] {
  return [
    ...(topic === undefined ? [] : [topicKey(topic)]),
    ...(supersedes === undefined ? [] : [decisionKey(supersedes)]),
  ];
}

function effects(
  { decisionId, topic, supersedes }: Effect,
  current: ItemLookup,
): readonly ItemChange[] {
  const holder: readonly ItemChange[] =
    topic === undefined ? [] : [{ ...topicKey(topic), state: { decisionId }, body: undefined }];
  if (supersedes === undefined) return holder;
  const facts = { status: 'superseded', supersededBy: decisionId };
  return [...holder, ...changeDecision(supersedes, facts, current)];
}

function verdictChanges(
  event: RecordedOf<'DecisionApproved' | 'DecisionRejected'>,
  status: DecisionStatus,
  current: ItemLookup,
): readonly ItemChange[] {
  const verdict = defined({
    by: authorOf(event),
    at: happenedAt(event),
    version: event.version,
    reason: event.data.reason,
  });
  return changeDecision(event.data.decisionId, { status, decided: asJson(verdict) }, current);
}

/** Changes facts of a decision, if it exists; its payload stays unchanged. */
function changeDecision(
  decisionId: string,
  facts: JsonObject,
  current: ItemLookup,
): readonly ItemChange[] {
  const key = decisionKey(decisionId);
  const item = current(key.kind, key.key);
  return item ? [{ ...key, state: { ...item.state, ...facts }, body: item.body }] : [];
}
