/** What these do is not known from the event alone: it may change everything. */
const sweeping: ReadonlySet<string> = new Set(['ContextForked', 'ContextRestored']);

/** Whether an event may change any item, so that only whole states can be compared across it. */
export function replacesWholeState({ type }: Readonly<{ type: string }>): boolean {
  return sweeping.has(type);
}
