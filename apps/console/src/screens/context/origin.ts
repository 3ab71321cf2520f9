/** A context, and its source if it is a fork. */
export type Origin = Readonly<{
  contextId: string;
  source: Readonly<{ contextId: string; version: number }> | undefined;
}>;

/** The first event of a context, as far as it states the source of a fork. */
export type FirstEvent = Readonly<{ type: string; data: unknown }>;

export function originOf(contextId: string, event: FirstEvent | undefined): Origin {
  return { contextId, source: event?.type === 'ContextForked' ? sourceIn(event.data) : undefined };
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
