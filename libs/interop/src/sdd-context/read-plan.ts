import { itemRef } from '../documents/item-ref.js';
import { type JsonDraft } from '../json/json-draft.js';
import { ItemNames } from '../json/item-names.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { stages } from '../json/entry-order.js';
import { splitRequirement } from './requirement-text.js';
import { dependencyLists, requirementLists } from './sdd-schema.js';
import { readBlockers } from './read-blockers.js';
import { readRisks } from './read-risks.js';
import { type SddReading } from './sdd-reading.js';

const order = [stages.needs, 1] as const;

/** Reads the needs of a feature: requirements and dependencies, and its blockers and risks. */
export function readPlan(reading: SddReading): void {
  readRequirements(reading);
  readDependencies(reading);
  readRisks(reading);
}

function readRequirements({ draft, entry, createdAt }: SddReading): void {
  const summary = entry.member('requirements_summary');
  if (!summary) return;
  const lists = new JsonEntry(draft, summary);
  const names = new ItemNames();
  for (const [list, kind] of requirementLists) {
    for (const [at, element] of elementsOf(draft, lists.member(list)).entries()) {
      const { id, text } = requirementIn(draft, element);
      const requirementId = names.take(id, `${list}-${at + 1}`);
      const item = itemRef('requirement', requirementId);
      const data = { requirementId, kind, text };
      const origin = { timestamp: createdAt };
      if (draft.plan(element, { item, type: 'RequirementRecorded', data, origin, order }))
        draft.claim(element, [item]);
    }
  }
  lists.finish();
}

/** Reads a requirement from a line, or from an object with id and text. */
function requirementIn(draft: JsonDraft, element: JsonPart) {
  const value = element.value();
  if (typeof value === 'string') return splitRequirement(value);
  const entry = new JsonEntry(draft, element);
  const read = { id: entry.text('id'), text: entry.text('text', 'description', 'requirement') };
  entry.finish();
  return read;
}

function readDependencies(reading: SddReading): void {
  const { draft, entry, createdAt } = reading;
  const part = entry.member('dependencies');
  if (!part) return;
  const lists = new JsonEntry(draft, part);
  const known = new Set<string>();
  for (const kind of dependencyLists)
    for (const element of elementsOf(draft, lists.member(kind))) {
      const name = element.value();
      const item = itemRef('dependency', String(name));
      const data = { name, kind };
      const origin = { timestamp: createdAt };
      if (known.has(item)) draft.note(element, 'text', 'this dependency is listed already');
      else if (draft.plan(element, { item, type: 'DependencyDeclared', data, origin, order }))
        draft.claim(element, [item]);
      known.add(item);
    }
  readBlockers(reading, elementsOf(draft, lists.member('blockers')));
  lists.finish();
}

function elementsOf(draft: JsonDraft, list: JsonPart | undefined): readonly JsonPart[] {
  if (list && !list.isArray) draft.note(list, 'text', 'expected a list');
  return list?.elements() ?? [];
}
