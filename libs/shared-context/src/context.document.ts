import { type JsonObject } from '#event-sourcing';

import { type DocumentFacts, type DocumentMember, type DocumentPart } from './document-part.js';
import { documentParts } from './document-parts.js';
import { executionSummarySchema } from './families/family.document.js';
import { type Item, type ItemLookup } from './item.js';
import { type ItemKind, itemKinds } from './item-kinds.js';
import { activityKinds } from './steps/step.activity.js';
import { openStepKinds } from './steps/step.state.js';

/** The member that only documents of contexts with children have; it is not rendered from items. */
const summaryOfChildren = 'executionSummary';

/** Members that every document has, for any requested members. */
export const identifyingMembers: readonly string[] = ['contextId', 'workspace', '_version'];

/** The definitions of all members, by name. */
export const memberDefinitions: Readonly<Record<string, DocumentMember>> = {
  ...Object.fromEntries(documentParts.flatMap(({ members }) => Object.entries(members))),
  [summaryOfChildren]: { schema: executionSummarySchema, searched: null },
};

/** The names of all members. */
export const documentMembers: readonly string[] = Object.keys(memberDefinitions);

/** Members of a document that are rendered from the activity of a context. */
export const activityMembers: readonly string[] = documentParts
  .filter(({ activity }) => activity)
  .flatMap(namesOf);

const kindsSearched: ReadonlySet<ItemKind> = new Set(
  documentParts
    .filter(({ members }) => Object.values(members).some(({ searched }) => searched))
    .flatMap(({ kinds }) => kinds),
);

/** The kinds of items from which the searched members are rendered. */
export const searchedKinds: readonly ItemKind[] = itemKinds.filter((kind) =>
  kindsSearched.has(kind),
);

/** Members that are rendered from the children of a context, not from its items. */
export const familyMembers: readonly string[] = ['children', summaryOfChildren];

/**
 * The kinds of items from which these members are rendered: `kinds` with their bodies, `states` without. If `activity`
 * is false, the caller has the activity already, and loads the steps that it names.
 */
export function kindsOfMembers(
  members: readonly string[],
  { activity = true }: Readonly<{ activity?: boolean }> = {},
): Readonly<{ kinds: readonly ItemKind[]; states: readonly ItemKind[] }> {
  const parts = documentParts.filter((one) => namesOf(one).some((name) => members.includes(name)));
  const isActivity = activity && parts.some((one) => one.activity);
  const kinds = new Set([
    ...parts.flatMap((one) => one.kinds),
    ...(isActivity ? openStepKinds.kinds : []),
  ]);
  const states = new Set([
    ...parts.flatMap((one) => one.states ?? []),
    ...(isActivity ? activityKinds : []),
  ]);
  return { kinds: [...kinds], states: [...states].filter((kind) => !kinds.has(kind)) };
}

/**
 * The document of the HTTP contract. Every part is present, and empty if no item belongs to it; the children are empty,
 * as no item represents them. With `members`, only the parts with these members and the identifying ones are rendered.
 */
export function renderDocument(
  items: Iterable<Item>,
  facts: DocumentFacts,
  members?: readonly string[],
): JsonObject {
  const all = [...items];
  const input = { facts, current: lookupOf(all) };
  const selected = members && new Set([...members, ...identifyingMembers]);
  const rendered = documentParts
    .filter((one) => !selected || namesOf(one).some((name) => selected.has(name)))
    .map((one) => one.render(all, input));
  return Object.fromEntries(rendered.flatMap((part) => Object.entries(part)));
}

/** These members of a document and the identifying ones, in the order of the document. */
export function selectMembers(document: JsonObject, members: readonly string[]): JsonObject {
  const selected = new Set([...members, ...identifyingMembers]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => selected.has(name)));
}

function namesOf({ members }: DocumentPart): string[] {
  return Object.keys(members);
}

function lookupOf(items: readonly Item[]): ItemLookup {
  const byKey = new Map(items.map((item) => [`${item.kind} ${item.key}`, item]));
  return (kind, key) => byKey.get(`${kind} ${key}`);
}
