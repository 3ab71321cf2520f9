import { type JsonObject } from '#event-sourcing';

import { type DocumentFacts } from './document-part.js';
import { documentParts } from './document-parts.js';
import { type Item, type ItemKind, type ItemLookup } from './item.js';
import { activityKinds } from './steps/step.activity.js';
import { openStepKinds } from './steps/step.state.js';

export { type DocumentFacts } from './document-part.js';

/** What only documents of contexts with children have, beside their items. */
const summaryOfChildren = 'executionSummary';

/** Members that every document has, whichever were asked for. */
export const identifyingMembers: readonly string[] = ['contextId', 'workspace', '_version'];

/** Every name of a member. */
export const documentMembers: readonly string[] = [
  ...documentParts.flatMap(({ members }) => members),
  summaryOfChildren,
];

/** Members of a document that are rendered from the activity of a context. */
export const activityMembers: readonly string[] = documentParts
  .filter(({ activity }) => activity)
  .flatMap(({ members }) => members);

/** Members that are not of the items of a context but of its children. */
export const familyMembers: readonly string[] = ['children', summaryOfChildren];

/**
 * The kinds of items from which these members are rendered: `kinds` with their bodies, `states` without. If `activity` is false,
 * the caller has the activity already, and loads the steps that it names.
 */
export function kindsOfMembers(
  members: readonly string[],
  { activity = true }: Readonly<{ activity?: boolean }> = {},
): Readonly<{ kinds: readonly ItemKind[]; states: readonly ItemKind[] }> {
  const shown = documentParts.filter((one) => one.members.some((name) => members.includes(name)));
  const isActivity = activity && shown.some((one) => one.activity);
  const kinds = new Set([
    ...shown.flatMap((one) => one.kinds),
    ...(isActivity ? openStepKinds.kinds : []),
  ]);
  const states = new Set([
    ...shown.flatMap((one) => one.states ?? []),
    ...(isActivity ? activityKinds : []),
  ]);
  return { kinds: [...kinds], states: [...states].filter((kind) => !kinds.has(kind)) };
}

/**
 * The document of the contract. Every part is always there; one that nothing was said about is empty, as are the children,
 * of which no item tells. With `members`, only parts that have one of these are rendered, and the identifying ones.
 */
export function renderDocument(
  items: Iterable<Item>,
  facts: DocumentFacts,
  members?: readonly string[],
): JsonObject {
  const all = [...items];
  const beside = { facts, current: lookupOf(all) };
  const wanted = members && new Set([...members, ...identifyingMembers]);
  const rendered = documentParts
    .filter((one) => !wanted || one.members.some((name) => wanted.has(name)))
    .map((one) => one.render(all, beside));
  return Object.fromEntries(rendered.flatMap((part) => Object.entries(part)));
}

/** These members of a document and the identifying ones, in their order. */
export function selectMembers(document: JsonObject, members: readonly string[]): JsonObject {
  const wanted = new Set([...members, ...identifyingMembers]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => wanted.has(name)));
}

function lookupOf(items: readonly Item[]): ItemLookup {
  const byKey = new Map(items.map((item) => [`${item.kind} ${item.key}`, item]));
  return (kind, key) => byKey.get(`${kind} ${key}`);
}
