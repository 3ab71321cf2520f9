import { itemRef } from '../documents/item-ref.js';
import { ItemNames } from '../json/item-names.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { stages } from '../json/entry-order.js';
import { listIn } from './list-in.js';
import { riskStatuses, severities } from './sdd-schema.js';
import { type SddReading } from './sdd-reading.js';

const order = [stages.current, 1] as const;

/** Risks have no times, so they have the time of the document. */
export function readRisks(reading: SddReading): void {
  const names = new ItemNames();
  for (const [at, element] of listIn(reading, 'risks').entries())
    readRisk(reading, element, (id) => names.take(id, `risk-${at + 1}`));
}

function readRisk(
  { draft, updatedAt }: SddReading,
  element: JsonPart,
  nameOf: (id: string | undefined) => string,
): void {
  const entry = new JsonEntry(draft, element);
  const riskId = nameOf(entry.text('id'));
  const item = itemRef('risk', riskId);
  const stated = entry.oneOf('severity', severities);
  if (stated === undefined)
    draft.note(element, 'changed', 'the severity is absent or unknown: it becomes medium');
  const data = {
    riskId,
    severity: stated ?? 'medium',
    description: entry.text('description', 'risk'),
    ...present('mitigation', entry.text('mitigation')),
  };
  const status = entry.oneOf('status', riskStatuses) ?? 'open';
  const origin = { agentId: entry.agent('raised_by'), timestamp: updatedAt };
  entry.finish();
  if (!draft.plan(element, { item, type: 'RiskRaised', data, origin, order })) return;
  draft.claim(element, [item]);
  if (status === 'open') return;
  draft.plan(element, { item, type: 'RiskUpdated', data: { riskId, status }, origin, order });
}

function present(name: string, value: unknown): object {
  return value === undefined ? {} : { [name]: value };
}
