import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';
import { asJson, defined, without } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';
import { mitigationNow, mitigationOf } from './plan.item.js';

/** A requirement as stated last, and which revision this is. */
export function renderRequirement(item: Item): JsonObject {
  return { ...renderEntry(item), revision: item.state['revision'] ?? null };
}

/** A risk as raised, with the mitigation in force, its status, and who updated it last. */
export function renderRisk(item: Item): JsonObject {
  const { status = null, updatedBy, updatedAt } = item.state;
  const mitigation = mitigationOf(item);
  const raised = without(renderEntry(item), [mitigationNow]);
  return asJson(defined({ ...raised, mitigation, status, updatedBy, updatedAt }));
}

export function renderDependency(item: Item): JsonObject {
  return renderEntry(item);
}

/** A blocker as raised, open or cleared, and by whom and when it was cleared. */
export function renderBlocker(item: Item): JsonObject {
  const { status = null, clearedBy, clearedAt } = item.state;
  return asJson(defined({ ...renderEntry(item), status, clearedBy, clearedAt }));
}

/** The parts of the document that the plan makes, each oldest first. */
export function renderPlan(items: readonly Item[]): JsonObject {
  const dependencies = oldestFirst('dependency', items);
  const ofKind = (kind: string) =>
    dependencies.filter(({ state }) => state['kind'] === kind).map(renderDependency);
  return {
    requirements: oldestFirst('requirement', items).map(renderRequirement),
    risks: oldestFirst('risk', items).map(renderRisk),
    dependencies: {
      external: ofKind('external'),
      internal: ofKind('internal'),
      blockers: oldestFirst('blocker', items).map(renderBlocker),
    },
  };
}
