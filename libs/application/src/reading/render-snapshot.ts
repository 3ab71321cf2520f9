import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type DocumentFacts, activityOf, renderDocument, withoutProposals } from '#shared-context';

import { type Members } from './document-members.js';
import { type AuthorizedSnapshot } from './authorized-context-reader.js';

/** Renders the items of a snapshot as a document, with sizes and authorship from its head. */
export function documentOf(snapshot: AuthorizedSnapshot, known: KnownFacts = {}): JsonObject {
  const { version, bytes, tokens, modifiedAt, modifiedBy } = snapshot.head;
  const size = { events: version, bytes, tokens };
  return renderParts(snapshot, { registry: [], ...known, modifiedAt, modifiedBy, size });
}

/** Facts that are not in the snapshot, and the members to render; default: all. */
type KnownFacts = Pick<DocumentFacts, 'registry' | 'activity'> & Readonly<{ members?: Members }>;

type RenderFacts = KnownFacts &
  Readonly<{ modifiedAt: string; modifiedBy: string }> &
  Pick<DocumentFacts, 'size'>;

/** Renders the items of a snapshot as its reader sees them. */
export function renderParts(
  { head, state, filter }: AuthorizedSnapshot,
  { modifiedAt, modifiedBy, members, ...known }: RenderFacts,
): JsonObject {
  const { workspace, contextId, version } = head;
  const { counted } = head.activity;
  const activity = filter?.liveDecisionsOnly
    ? withoutProposals(activityOf([...state.values()], counted))
    : known.activity;
  const facts = {
    workspace,
    contextId,
    version,
    ...known,
    activity,
    counted,
    lastModifiedAt: modifiedAt,
    lastModifiedBy: modifiedBy,
  };
  const document = renderDocument(state.values(), facts, members);
  if (!filter?.liveDecisionsOnly) return document;
  // Whether a decision is live depends on the other decisions, so the filter applies to the rendered decisions.
  const decisions = objectsOf(document['decisionHistory']).filter(({ live }) => live === true);
  return { ...document, decisionHistory: decisions.map(withoutPath) };
}

const pathMembers: ReadonlySet<string> = new Set(['stalePath', 'stalePathLength']);

/** The path of a stale decision names decisions that are not live, which are hidden from this reader. */
function withoutPath(decision: JsonObject): JsonObject {
  const isShown = ([name]: readonly [string, JsonValue]) => !pathMembers.has(name);
  return Object.fromEntries(Object.entries(decision).filter(isShown));
}

/** The entries of a list in a document: they are objects, which the document's type does not state. */
export function objectsOf(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? (list as JsonObject[]) : [];
}
