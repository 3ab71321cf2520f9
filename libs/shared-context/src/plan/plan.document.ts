import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { type DocumentPart, listSchema } from '../document-part.js';
import { type Item } from '../item.js';
import { asJson, defined, without } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';
import { mitigationNow, mitigationOf } from './plan.item.js';

/** The members of the document for the plan; each list is ordered oldest first. */
export const planPart: DocumentPart = {
  members: {
    requirements: { schema: listSchema, searched: { shape: 'list' } },
    risks: { schema: listSchema, searched: { shape: 'list' } },
    dependencies: {
      schema: z.looseObject({ external: listSchema, internal: listSchema, blockers: listSchema }),
      searched: { shape: 'lists', lists: ['external', 'internal', 'blockers'] },
    },
  },
  kinds: ['requirement', 'risk', 'dependency', 'blocker'],
  listed: [
    { kind: 'requirement', list: 'requirements', render: renderRequirement },
    { kind: 'risk', list: 'risks', render: renderRisk },
    { kind: 'dependency', list: 'dependencies', render: renderEntry },
    { kind: 'blocker', list: 'dependencies.blockers', render: renderBlocker },
  ],
  render: renderPlan,
};

/** The newest revision of a requirement, with its number. */
function renderRequirement(item: Item): JsonObject {
  return { ...renderEntry(item), revision: item.state['revision'] ?? null };
}

/** A risk with its current mitigation and status, and the author and time of its latest update. */
function renderRisk(item: Item): JsonObject {
  const { status = null, updatedBy, updatedAt } = item.state;
  const mitigation = mitigationOf(item);
  const raised = without(renderEntry(item), [mitigationNow]);
  return asJson(defined({ ...raised, mitigation, status, updatedBy, updatedAt }));
}

/** A blocker with its status and, if it was cleared, the author and time of that. */
function renderBlocker(item: Item): JsonObject {
  const { status = null, clearedBy, clearedAt } = item.state;
  return asJson(defined({ ...renderEntry(item), status, clearedBy, clearedAt }));
}

export function renderPlan(items: readonly Item[]): JsonObject {
  const dependencies = oldestFirst('dependency', items);
  const ofKind = (kind: string) =>
    dependencies.filter(({ state }) => state['kind'] === kind).map(renderEntry);
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
