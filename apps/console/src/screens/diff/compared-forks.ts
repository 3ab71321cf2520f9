import { type Origin } from '../context/origin.js';

/** The version up to which two contexts are the same, as each of them counts it. */
type CommonVersions = Readonly<{ here: number; there: number }>;

/** The version of a fork that has exactly the content of its source. */
const forked = 1;

/**
 * The versions of two contexts with the same content: one is a fork of the other, or both are forks of the same version. Undefined if there
 * are none.
 */
export function commonVersions(here: Origin, there: Origin): CommonVersions | undefined {
  if (here.source?.contextId === there.contextId)
    return { here: forked, there: here.source.version };
  if (there.source?.contextId === here.contextId)
    return { here: there.source.version, there: forked };
  return areSiblings(here, there) ? { here: forked, there: forked } : undefined;
}

function areSiblings({ source: one }: Origin, { source: other }: Origin): boolean {
  if (!one || !other) return false;
  return one.contextId === other.contextId && one.version === other.version;
}
