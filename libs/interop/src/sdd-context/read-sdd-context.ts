import { type JsonObject } from '#event-sourcing';

import {
  type DocumentReading,
  type NamedText,
  type ReadingOptions,
} from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { itemRef } from '../documents/item-ref.js';
import { isRfc3339 } from '../documents/claimed-time.js';
import { hasNull } from '../json/has-null.js';
import { JsonDraft } from '../json/json-draft.js';
import { JsonEntry } from '../json/json-entry.js';
import { creationOf, readId } from '../json/read-id.js';
import { readObject } from '../json/read-object.js';
import { titleOf } from '../json/title-of.js';
import { stages } from '../json/entry-order.js';
import { readFigures } from './read-figures.js';
import { readHistory } from './read-history.js';
import { readPlan } from './read-plan.js';
import { readState } from './read-state.js';
import { type SddReading } from './sdd-reading.js';

/** Members by which a document is recognized. */
const featureMembers: readonly string[] = [
  'feature_id',
  'feature_name',
  'current_state',
  'completed_phases',
  'handover_notes',
  'iteration_counts',
  'circuit_breaker_status',
  'review_history',
  'requirements_summary',
  'decisions',
];

/**
 * Reads a context.json, the manifest of a feature (`docs/documents-reference.md` compares its fields with the members
 * of a document).
 */
export function readSddContext(
  documents: readonly NamedText[],
  options: ReadingOptions,
): DocumentReading {
  const { source, root } = readObject(documents, options);
  const names = new Set(root.members().map(([name]) => name));
  if (!featureMembers.some((name) => names.has(name)))
    throw new DocumentError(
      root.place,
      `this is not a context.json of a feature, which has one of ${featureMembers.join(', ')}: choose another format`,
    );
  const draft = new JsonDraft(source);
  const entry = new JsonEntry(draft, root);
  const { contextId, creation } = readCreation(draft, entry);
  const reading: SddReading = {
    draft,
    entry,
    createdAt: timeIn(creation.metadata, 'created_at'),
    updatedAt: timeIn(creation.metadata, 'updated_at'),
  };
  readPlan(reading);
  const counted = readHistory(reading);
  const tasks = readState(reading);
  readFigures(reading, { ...counted, tasks });
  readOthers(reading);
  return {
    contextId,
    creation,
    events: draft.events(),
    documents: [draft.document()],
    notes: draft.notes,
  };
}

function readCreation(draft: JsonDraft, entry: JsonEntry) {
  const namePart = entry.member('feature_name');
  const { contextId, stated } = readId(draft, entry.member('feature_id'), 'feature_id');
  const parts = ['workflow_version', 'created_at', 'updated_at'].flatMap((name) => {
    const part = entry.member(name);
    return part ? [{ name, part }] : [];
  });
  for (const { name, part } of parts) if (name.endsWith('_at')) draft.time(part);
  for (const part of [namePart, ...parts.map((one) => one.part)])
    if (part) draft.claim(part, [itemRef('creation', '')]);
  const metadata = Object.fromEntries(parts.map(({ name, part }) => [name, part.value()]));
  const creation = creationOf(titleOf(draft, namePart), { ...stated, ...metadata });
  return { contextId, creation };
}

/** Stores the members that the format does not have, for agents that use them. */
function readOthers({ draft, entry, createdAt }: SddReading): void {
  const unknown = entry.rest();
  const [first] = unknown;
  if (!first) return;
  const values = Object.fromEntries(unknown.map(([name, part]) => [name, part.value()]));
  const item = itemRef('global', 'sdd');
  const isPlanned = draft.plan(first[1], {
    item,
    type: 'GlobalContextSet',
    data: { values: { sdd: values } },
    origin: { timestamp: createdAt },
    order: [stages.needs, 0],
  });
  if (!isPlanned) return;
  if (unknown.some(([, part]) => hasNull(part.value())))
    draft.note(first[1], 'changed', 'null members are omitted from global_context.sdd');
  for (const [name, part] of unknown) {
    draft.note(
      part,
      'changed',
      `the format has no such member: it becomes global_context.sdd.${name}`,
    );
    draft.claim(part, [item]);
  }
}

function timeIn(metadata: JsonObject | undefined, name: string): string | undefined {
  const time = metadata?.[name];
  return typeof time === 'string' && isRfc3339(time) ? time : undefined;
}
