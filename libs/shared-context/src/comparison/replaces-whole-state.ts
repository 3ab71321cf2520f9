/** Events whose effect cannot be computed from the event alone: they may change any item. */
const stateReplacingTypes: ReadonlySet<string> = new Set(['ContextForked', 'ContextRestored']);

/** Whether an event may change any item, so that only whole states can be compared across it. */
export function replacesWholeState({ type }: Readonly<{ type: string }>): boolean {
  return stateReplacingTypes.has(type);
}
