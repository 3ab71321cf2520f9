import { createHash } from 'node:crypto';

import { type Selection, wholeDocument } from '#read-models';
import { familyMembers, kindsOfMembers } from '#shared-context';
import { type VisibilityFilter } from '#visibility';

/** Sorted, unique names of members of the document; undefined for the full document. */
export type Members = readonly string[] | undefined;

/** For an audience, these members depend on all visible items: last change, its author, and size. */
const dependOnAllVisible: ReadonlySet<string> = new Set([
  'agents',
  'metrics',
  'size',
  '_lastModifiedAt',
  '_lastModifiedBy',
]);

/** The members that have to be rendered so that these are correct. */
export function renderedMembers(members: Members, filter: VisibilityFilter | undefined): Members {
  return filter && members?.some((name) => dependOnAllVisible.has(name)) ? undefined : members;
}

/** Selects exactly the items from which these members are rendered. */
export function documentSelection(
  members: Members,
  filter: VisibilityFilter | undefined,
): Selection {
  const rendered = renderedMembers(members, filter);
  if (!rendered) return wholeDocument;
  // The visibility of an item may depend on its payload.
  if (filter) {
    const { kinds, states } = kindsOfMembers(rendered);
    return { kinds: [...kinds, ...states] };
  }
  // For readers who see everything the current activity takes one lookup: see ActivityReader.
  const { kinds, states } = kindsOfMembers(rendered, { activity: false });
  return { kinds: [...kinds, ...states], bodies: kinds };
}

export function hasFamily(members: Members): boolean {
  return !members || members.some((name) => familyMembers.includes(name));
}

/** Selects the items that determine the tag of a copy of these members. */
export function copySelection(members: Members, filter: VisibilityFilter | undefined): Selection {
  if (members && !members.includes('derived')) return { keys: [], bodies: false };
  // The visibility of an item may depend on its payload.
  return filter ? documentSelection(['derived'], filter) : { kinds: ['derived'], bodies: false };
}

/**
 * Distinguishes copies of different members from each other and from the full document, for the same reader; and copies
 * that mark different derived values as `inactive`.
 */
export function tagOfCopy(
  tag: string | null,
  members: Members,
  inactive: readonly string[],
): string | null {
  if (!members && inactive.length === 0) return tag;
  return createHash('sha256')
    .update(JSON.stringify([tag, members ?? null, ...(inactive.length > 0 ? [inactive] : [])]))
    .digest('hex')
    .slice(0, 16);
}
