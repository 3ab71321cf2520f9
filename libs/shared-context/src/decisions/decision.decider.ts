import { isJsonObject } from '#event-sourcing';
import { type CommandRules, type Reference } from '../command-rule.js';
import { type RecordDecision } from '../context.command.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type ItemKey, type ItemLookup } from '../item.js';
import { asJson, defined, jsonEquals, without } from '../json.js';
import { idFault } from '../payload.schema.js';
import { decisionKey, stepKey } from '../item-keys.js';
import { isReserved, decisionIdOf } from './decision-number.js';
import { ApprovalDecidedError, DecisionTopicTakenError } from './decision.errors.js';
import {
  type DecisionFacts,
  decisionCounterKey,
  findDecision,
  findTopicHolder,
  lastDecisionNumber,
  topicKey,
} from './decision.item.js';

type DecisionData = RecordDecision['data'];

export const decisionRules: CommandRules<'RecordDecision' | 'ApproveDecision' | 'RejectDecision'> =
  {
    RecordDecision: {
      reads: ({ data }, known) => {
        const topic = data.topic ?? findReplacedTopic(data, known);
        return [
          decisionCounterKey,
          ...decisionKeys(data.decisionId, data.supersedes),
          ...(topic === undefined ? [] : [topicKey(topic)]),
        ];
      },
      names: ({ data }) => decisionKeys(data.supersedes),
      refersTo: ({ data }) => referencesIn(data),
      decide: (command, current) =>
        isRepeated(command, current) ? [] : [decisionRecorded(command, current)],
    },
    ApproveDecision: {
      reads: ({ data }, known) => {
        const { topic, supersedes } = findDecision(data.decisionId, known) ?? {};
        return [
          ...decisionKeys(data.decisionId, supersedes),
          ...(topic === undefined ? [] : [topicKey(topic)]),
        ];
      },
      names: ({ data }) => decisionKeys(data.decisionId),
      decide: ({ data: { decisionId, reason } }, current) => {
        const { status, topic, supersedes } = requireDecision(decisionId, current);
        if (status === 'rejected') throw new ApprovalDecidedError(decisionId, status);
        if (status !== 'pending') return [];
        if (supersedes !== undefined) requireLive(supersedes, { stated: topic, topic }, current);
        requireFreeTopic(topic, supersedes, current);
        const data = defined({ decisionId, topic, supersedes, reason });
        return [{ type: 'DecisionApproved', data }];
      },
    },
    RejectDecision: {
      reads: ({ data }) => decisionKeys(data.decisionId),
      names: ({ data }) => decisionKeys(data.decisionId),
      decide: ({ data }, current) => {
        const { status } = requireDecision(data.decisionId, current);
        if (status === 'rejected') return [];
        if (status !== 'pending') throw new ApprovalDecidedError(data.decisionId, status);
        return [{ type: 'DecisionRejected', data }];
      },
    },
  };

function decisionRecorded({ data, confidenceThreshold }: RecordDecision, current: ItemLookup) {
  const replacedTopic = requireReplaceable(data, current);
  const topic = data.topic ?? replacedTopic;
  requireOneStatus(data);
  const pending = isEnded(data) ? false : requiresApproval(data, confidenceThreshold ?? null);
  if (!pending && !isEnded(data)) requireFreeTopic(topic, data.supersedes, current);
  return {
    type: 'DecisionRecorded',
    data: defined({
      ...data,
      decisionId: data.decisionId ?? decisionIdOf(lastDecisionNumber(current) + 1),
      topic,
      requiresApproval: pending ? true : data.requiresApproval,
    }),
  } as const;
}

/** A known id with the same payload is a repetition; a known id with another payload is refused. */
function isRepeated({ data, isImported }: RecordDecision, current: ItemLookup): boolean {
  if (data.decisionId === undefined) return false;
  const before = current('decision', data.decisionId)?.body;
  if (isJsonObject(before)) {
    if (jsonEquals(without(before, addedMembers(data)), asJson(data))) return true;
    throw new RuleViolationError(
      '/decisionId',
      'is the id of another decision: choose another id, or leave it out for a new one',
    );
  }
  if (isImported || !isReserved(data.decisionId)) return false;
  throw new RuleViolationError(
    '/decisionId',
    'ids of this form are reserved for the server: choose another one, or leave it out',
  );
}

/** Members that the decider may have added to the client's payload. */
function addedMembers({ requiresApproval, topic, supersedes }: DecisionData): readonly string[] {
  const inherited = topic === undefined && supersedes !== undefined;
  return [
    ...(requiresApproval === undefined ? ['requiresApproval'] : []),
    ...(inherited ? ['topic'] : []),
  ];
}

function referencesIn({
  topic,
  stepId,
  relatedDecisions = [],
}: DecisionData): readonly Reference[] {
  return [
    ...(topic === undefined ? [] : [{ pointer: '/topic', item: topicKey(topic) }]),
    ...(stepId === undefined ? [] : [{ pointer: '/stepId', item: stepKey(stepId) }]),
    ...relatedDecisions.flatMap(({ decisionId }, at) =>
      idFault(decisionId) === undefined
        ? []
        : [{ pointer: `/relatedDecisions/${at}/decisionId`, item: decisionKey(decisionId) }],
    ),
  ];
}

function isEnded({ rejected, deprecated }: DecisionData): boolean {
  return rejected === true || deprecated === true;
}

function requireOneStatus(data: DecisionData): void {
  const { rejected, deprecated, requiresApproval: waits } = data;
  if (rejected && deprecated)
    throw new RuleViolationError(
      '/deprecated',
      'cannot be set on a rejected decision: leave one of them out',
    );
  if (isEnded(data) && waits)
    throw new RuleViolationError(
      '/requiresApproval',
      'cannot be set on a rejected or deprecated decision: leave one of them out',
    );
}

function requiresApproval(data: DecisionData, threshold: number | null): boolean {
  const unsure = threshold !== null && data.confidence !== undefined && data.confidence < threshold;
  if (unsure && data.requiresApproval === false)
    throw new RuleViolationError(
      '/requiresApproval',
      `a decision with a confidence below ${threshold} requires the approval of a person: leave this out`,
    );
  return unsure || data.requiresApproval === true;
}

/** Checks that the superseded decision can be replaced, and returns its topic, which the new decision inherits. */
function requireReplaceable(
  { supersedes, topic }: DecisionData,
  current: ItemLookup,
): string | undefined {
  if (supersedes === undefined) return undefined;
  const replaced = findDecision(supersedes, current);
  if (!replaced)
    throw new RuleViolationError(
      '/supersedes',
      'names no decision of this context: the document lists them as decisionHistory; leave it out for a first decision',
    );
  if (topic !== undefined && replaced.topic !== undefined && topic !== replaced.topic)
    throw new RuleViolationError(
      '/topic',
      `"${supersedes}" is a decision on another topic: leave the topic out`,
    );
  requireLive(supersedes, { stated: topic, topic: topic ?? replaced.topic }, current);
  return replaced.topic;
}

type TopicFacts = Readonly<{ stated: string | undefined; topic: string | undefined }>;

/** The error names only the topic that the client sent, as the topic of the decision may be hidden from the writer. */
function requireLive(decisionId: string, { stated, topic }: TopicFacts, current: ItemLookup): void {
  const { status, supersededBy } = requireDecision(decisionId, current);
  if (status === 'live') return;
  if (status !== 'superseded')
    throw new RuleViolationError(
      '/supersedes',
      `"${decisionId}" is ${status}, not live: name a live decision, or leave it out`,
    );
  const holder = topic === undefined ? undefined : findTopicHolder(topic, current);
  throw new DecisionTopicTakenError(stated ?? null, holder ?? supersededBy ?? decisionId);
}

function requireFreeTopic(
  topic: string | undefined,
  supersedes: string | undefined,
  current: ItemLookup,
): void {
  const holder = topic === undefined ? undefined : findTopicHolder(topic, current);
  if (topic !== undefined && holder !== undefined && holder !== supersedes)
    throw new DecisionTopicTakenError(topic, holder);
}

function requireDecision(decisionId: string, current: ItemLookup): DecisionFacts {
  const decision = findDecision(decisionId, current);
  if (!decision) throw new NotFoundError('decision', decisionId);
  return decision;
}

function findReplacedTopic({ supersedes }: DecisionData, known: ItemLookup): string | undefined {
  return supersedes === undefined ? undefined : findDecision(supersedes, known)?.topic;
}

function decisionKeys(...decisionIds: readonly (string | undefined)[]): readonly ItemKey[] {
  return decisionIds.flatMap((id) => (id === undefined ? [] : [decisionKey(id)]));
}
