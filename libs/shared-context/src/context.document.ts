import { type JsonObject } from '#event-sourcing';

import { type DocumentFacts, type DocumentMember, type DocumentPart } from './document-part.js';
import { documentParts } from './document-parts.js';
import { executionSummarySchema } from './families/family.document.js';
import { type Item, type ItemLookup } from './item.js';
import { type ItemKind, itemKinds } from './item-kinds.js';
import { activityKinds } from './steps/step.activity.js';
import { openStepKinds } from './steps/step.state.js';

/** What only documents of contexts with children have, beside their items. */
const summaryOfChildren = 'executionSummary';

/** Members that every document has, whichever were asked for. */
export const identifyingMembers: readonly string[] = ['contextId', 'workspace', '_version'];

/** Every member by name. */
export const memberDefinitions: Readonly<Record<string, DocumentMember>> = {
  ...Object.fromEntries(documentParts.flatMap(({ members }) => Object.entries(members))),
  [summaryOfChildren]: { schema: executionSummarySchema, searched: null },
};

/** Every name of a member. */
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

/** The kinds of items of which the searched members are composed. */
export const searchedKinds: readonly ItemKind[] = itemKinds.filter((kind) =>
  kindsSearched.has(kind),
);

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
  const shown = documentParts.filter((one) => namesOf(one).some((name) => members.includes(name)));
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
    .filter((one) => !wanted || namesOf(one).some((name) => wanted.has(name)))
    .map((one) => one.render(all, beside));
  return Object.fromEntries(rendered.flatMap((part) => Object.entries(part)));
}

/** These members of a document and the identifying ones, in their order. */
export function selectMembers(document: JsonObject, members: readonly string[]): JsonObject {
  const wanted = new Set([...members, ...identifyingMembers]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => wanted.has(name)));
}

function namesOf({ members }: DocumentPart): string[] {
  return Object.keys(members);
}

function lookupOf(items: readonly Item[]): ItemLookup {
  const byKey = new Map(items.map((item) => [`${item.kind} ${item.key}`, item]));
  return (kind, key) => byKey.get(`${kind} ${key}`);
}
