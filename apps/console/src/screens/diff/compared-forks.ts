/** A context, and its source if it is a fork. */
type Origin = Readonly<{
  contextId: string;
  source: Readonly<{ contextId: string; version: number }> | undefined;
}>;

/** The first event of a context, as far as it states the source of a fork. */
export type FirstEvent = Readonly<{ type: string; data: unknown }>;

/** The version up to which two contexts are the same, as each of them counts it. */
type CommonVersions = Readonly<{ here: number; there: number }>;

/** The version of a fork that has exactly the content of its source. */
const forked = 1;

export function originOf(contextId: string, event: FirstEvent | undefined): Origin {
  return { contextId, source: event?.type === 'ContextForked' ? sourceIn(event.data) : undefined };
}

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

function sourceIn(data: unknown): Origin['source'] {
  const { contextId, version } = membersOf(membersOf(data)['source']);
  return typeof contextId === 'string' && typeof version === 'number'
    ? { contextId, version }
    : undefined;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
