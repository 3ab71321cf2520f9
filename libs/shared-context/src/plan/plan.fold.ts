import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { asJson, defined } from '../json.js';
import { authorship } from '../listed-entry.js';
import { blockerKey, dependencyKey, mitigationNow, requirementKey, riskKey } from './plan.item.js';

export const planFolds: EventFolds<
  | 'RequirementRecorded'
  | 'RiskRaised'
  | 'RiskUpdated'
  | 'DependencyDeclared'
  | 'BlockerRaised'
  | 'BlockerCleared'
> = {
  RequirementRecorded: {
    touches: ({ data }) => [requirementKey(data.requirementId)],
    fold: (event, current) => {
      const key = requirementKey(event.data.requirementId);
      const before = current(key.kind, key.key);
      const state = {
        revision: revisionOf(before) + 1,
        firstVersion: before?.state['firstVersion'] ?? event.version,
        ...authorship(event),
      };
      return [{ ...key, state, body: asJson(event.data) }];
    },
  },
  RiskRaised: {
    touches: ({ data }) => [riskKey(data.riskId)],
    fold: (event) => [openItem(event, riskKey(event.data.riskId))],
  },
  RiskUpdated: {
    touches: ({ data }) => [riskKey(data.riskId)],
    fold: (event, current) => {
      const { riskId, status, mitigation } = event.data;
      const facts = { status, updatedBy: authorOf(event), updatedAt: happenedAt(event) };
      const members = asJson(defined({ [mitigationNow]: mitigation }));
      return changeItem(riskKey(riskId), { facts, members }, current);
    },
  },
  DependencyDeclared: {
    touches: ({ data }) => [dependencyKey(data.name)],
    fold: (event, current) => {
      const { name, kind } = event.data;
      const key = dependencyKey(name);
      const firstVersion = current(key.kind, key.key)?.state['firstVersion'] ?? event.version;
      const state = { kind, firstVersion, ...authorship(event) };
      return [{ ...key, state, body: asJson(event.data) }];
    },
  },
  BlockerRaised: {
    touches: ({ data }) => [blockerKey(data.blockerId)],
    fold: (event) => [openItem(event, blockerKey(event.data.blockerId))],
  },
  BlockerCleared: {
    touches: ({ data }) => [blockerKey(data.blockerId)],
    fold: (event, current) => {
      const { blockerId, note } = event.data;
      const facts = { status: 'cleared', clearedBy: authorOf(event), clearedAt: happenedAt(event) };
      return changeItem(
        blockerKey(blockerId),
        { facts, members: asJson(defined({ note })) },
        current,
      );
    },
  },
};

function openItem(event: RecordedOf<'RiskRaised' | 'BlockerRaised'>, key: ItemKey): ItemChange {
  const state = { status: 'open', version: event.version, ...authorship(event) };
  return { ...key, state, body: asJson(event.data) };
}

/** Changes an item, if it exists; otherwise the event has no effect. */
function changeItem(
  key: ItemKey,
  { facts, members }: Readonly<{ facts: JsonObject; members: JsonObject }>,
  current: ItemLookup,
): readonly ItemChange[] {
  const item = current(key.kind, key.key);
  if (!item) return [];
  const body = { ...(isJsonObject(item.body) ? item.body : {}), ...members };
  return [{ ...key, state: { ...item.state, ...facts }, body }];
}

function revisionOf(item: Item | undefined): number {
  const revision = item?.state['revision'];
  return typeof revision === 'number' ? revision : 0;
}
