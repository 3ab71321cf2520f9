import { type JsonObject } from '#event-sourcing';

import { type ContextDocument } from './context-document.js';
import { itemOfRef } from './item-ref.js';

type Entry = Readonly<Record<string, unknown>>;
type Find = (document: ContextDocument, key: string) => unknown;

/** Where an item of a kind is found in a document. */
const places: ReadonlyMap<string, Find> = new Map<string, Find>([
  ['task', ({ tasks }, key) => tasks.find(({ taskId }) => taskId === key)],
  ['decision', ({ decisionHistory: all }, key) => all.find((one) => one.decisionId === key)],
  ['artifact', ({ artifactReferences: all }, key) => all.find((one) => one.artifactId === key)],
  ['handover', ({ handoverNotes: all }, key) => all.find((one) => one.handoverId === key)],
  ['review', ({ reviewHistory: all }, key) => all.find(({ reviewId }) => reviewId === key)],
  ['requirement', ({ requirements }, key) => requirements.find((one) => one.requirementId === key)],
  ['risk', ({ risks }, key) => risks.find(({ riskId }) => riskId === key)],
  ['record', ({ records }, key) => records.find(({ recordId }) => recordId === key)],
  ['phase', ({ completedPhases }, key) => completedPhases.find(({ phase }) => phase === key)],
  ['global', ({ globalContext }, key) => member(globalContext, key)],
  ['preference', ({ userPreferences }, key) => member(userPreferences, key)],
  ['step-output', ({ stepOutputs }, key) => member(stepOutputs, key)],
  ['loop', ({ circuitBreakers }, key) => member(circuitBreakers, key)],
  [
    'dependency',
    ({ dependencies: { external, internal } }, key) =>
      [...external, ...internal].find(({ name }) => name === key),
  ],
  [
    'blocker',
    ({ dependencies: { blockers } }, key) => blockers.find((one) => one.blockerId === key),
  ],
  ['creation', ({ title, metadata, input }) => ({ title, metadata, input })],
]);

/** Members that other items change, or that only say which version it is. */
const incidental: ReadonlySet<string> = new Set([
  ...['version', 'revision', 'stale', 'stalePath', 'stalePathLength'],
]);

/** The entry of an item, or the value of one that is a value; undefined if the document has none. */
export function findEntry(document: ContextDocument, ref: string): unknown {
  const { kind, key } = itemOfRef(ref);
  return places.get(kind)?.(document, key);
}

/** Whether all these items say the same in both documents. */
export function areSame(
  items: readonly string[],
  before: ContextDocument,
  now: ContextDocument,
): boolean {
  return items.every((ref) => {
    const [left, right] = [findEntry(before, ref), findEntry(now, ref)];
    return left === right || comparable(left) === comparable(right);
  });
}

function comparable(entry: unknown): string | undefined {
  if (!isObject(entry)) return JSON.stringify(entry);
  return JSON.stringify(Object.entries(entry).filter(([name]) => !incidental.has(name)));
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(values: Entry | JsonObject, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
