import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type CommandRules } from '../command-rule.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { asJson, jsonEquals, without } from '../json.js';
import {
  blockerKey,
  dependencyKey,
  mitigationNow,
  mitigationOf,
  requirementKey,
  riskKey,
} from './plan.item.js';

export const planRules: CommandRules<
  | 'RecordRequirement'
  | 'RaiseRisk'
  | 'UpdateRisk'
  | 'DeclareDependency'
  | 'RaiseBlocker'
  | 'ClearBlocker'
> = {
  RecordRequirement: {
    reads: ({ data }) => [requirementKey(data.requirementId)],
    refersTo: ({ data }) => [
      { pointer: '/requirementId', item: requirementKey(data.requirementId) },
    ],
    decide: ({ data }, current) =>
      jsonEquals(current('requirement', data.requirementId)?.body, asJson(data))
        ? []
        : [{ type: 'RequirementRecorded', data }],
  },
  RaiseRisk: {
    reads: ({ data }) => [riskKey(data.riskId)],
    decide: ({ data: { status = 'open', ...data } }, current) => {
      const { riskId } = data;
      const before = current('risk', riskId);
      if (!before)
        return [
          { type: 'RiskRaised', data },
          ...(status === 'open'
            ? []
            : [{ type: 'RiskUpdated', data: { riskId, status } } as const]),
        ];
      const isSame = jsonEquals(raisedPayload(before, mitigationNow), asJson(data));
      // A risk that is raised as open may have been updated since.
      if (isSame && status !== 'open' && status !== before.state['status'])
        throw new RuleViolationError(
          '/status',
          'differs from the current status of the risk: update it with POST .../risks/{riskId} or RiskUpdated',
        );
      return requireRepetition(isSame, '/riskId', 'risk');
    },
  },
  UpdateRisk: {
    reads: ({ data }) => [riskKey(data.riskId)],
    names: ({ data }) => [riskKey(data.riskId)],
    decide: ({ data }, current) => {
      const risk = requireItem(riskKey(data.riskId), current);
      const same =
        risk.state['status'] === data.status &&
        (data.mitigation === undefined || data.mitigation === mitigationOf(risk));
      return same ? [] : [{ type: 'RiskUpdated', data }];
    },
  },
  DeclareDependency: {
    reads: ({ data }) => [dependencyKey(data.name)],
    refersTo: ({ data }) => [{ pointer: '/name', item: dependencyKey(data.name) }],
    decide: ({ data }, current) =>
      current('dependency', data.name)?.state['kind'] === data.kind
        ? []
        : [{ type: 'DependencyDeclared', data }],
  },
  RaiseBlocker: {
    reads: ({ data }) => [blockerKey(data.blockerId)],
    decide: ({ data }, current) => {
      const before = current('blocker', data.blockerId);
      if (!before) return [{ type: 'BlockerRaised', data }];
      return requireRepetition(
        jsonEquals(raisedPayload(before, 'note'), asJson(data)),
        '/blockerId',
        'blocker',
      );
    },
  },
  ClearBlocker: {
    reads: ({ data }) => [blockerKey(data.blockerId)],
    names: ({ data }) => [blockerKey(data.blockerId)],
    decide: ({ data }, current) =>
      requireItem(blockerKey(data.blockerId), current).state['status'] === 'cleared'
        ? []
        : [{ type: 'BlockerCleared', data }],
  },
};

/** The payload of the event that raised the item, without the member that later events add. */
function raisedPayload({ body }: Item, added: string): JsonValue | undefined {
  return isJsonObject(body) ? without(body, [added]) : body;
}

/** A known id with the same payload is a repetition; with another payload it is refused. */
function requireRepetition(same: boolean, pointer: string, noun: string): readonly [] {
  if (same) return [];
  throw new RuleViolationError(
    pointer,
    `is the id of another ${noun}: choose another id, or leave it out for a new one`,
  );
}

function requireItem({ kind, key }: ItemKey, current: ItemLookup): Item {
  const item = current(kind, key);
  if (!item) throw new NotFoundError(kind, key);
  return item;
}
