import { createHash } from 'node:crypto';

import { type Selection, wholeDocument } from '#read-models';
import { familyMembers, kindsOfMembers } from '#shared-context';
import { type VisibilityFilter } from '#visibility';

/** Names of members of the document, sorted, each once; undefined for the whole document. */
export type Members = readonly string[] | undefined;

/** For an audience, these depend on everything it sees: when that was changed last, by whom, and how large it is. */
const ofEverythingSeen: ReadonlySet<string> = new Set([
  'agents',
  'metrics',
  'size',
  '_lastModifiedAt',
  '_lastModifiedBy',
]);

/** What has to be rendered so that these members are right. */
export function renderedMembers(members: Members, filter: VisibilityFilter | undefined): Members {
  return filter && members?.some((name) => ofEverythingSeen.has(name)) ? undefined : members;
}

/** The items that these members are rendered from, and no others. */
export function documentSelection(
  members: Members,
  filter: VisibilityFilter | undefined,
): Selection {
  const rendered = renderedMembers(members, filter);
  if (!rendered) return wholeDocument;
  // What an audience sees of an item may depend on its payload.
  if (filter) {
    const { kinds, states } = kindsOfMembers(rendered);
    return { kinds: [...kinds, ...states] };
  }
  // What goes on is one lookup for who sees everything: see ActivityReader.
  const { kinds, states } = kindsOfMembers(rendered, { activity: false });
  return { kinds: [...kinds, ...states], bodies: kinds };
}

export function hasFamily(members: Members): boolean {
  return !members || members.some((name) => familyMembers.includes(name));
}

/** What tells which copy of these members a reader would get now, without the copy. */
export function copySelection(members: Members, filter: VisibilityFilter | undefined): Selection {
  if (members && !members.includes('derived')) return { keys: [], bodies: false };
  // What an audience sees of an item may depend on its payload.
  return filter ? documentSelection(['derived'], filter) : { kinds: ['derived'], bodies: false };
}

/**
 * Tells a copy of some members from one of others, and from one of the whole document, for the same reader; and copies that
 * mark other derived values as `inactive`.
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
