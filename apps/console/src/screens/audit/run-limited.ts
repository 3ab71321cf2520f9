/** Runs a function for each item, in their order, at most `limit` at once. After the signal aborts, no further one starts. */
export async function runLimited<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
  { limit, signal }: Readonly<{ limit: number; signal: AbortSignal }>,
): Promise<void> {
  const waiting = items.values();
  const runNext = async (): Promise<void> => {
    for (const item of waiting) {
      if (signal.aborted) return;
      await run(item);
    }
  };
  await Promise.all(Array.from({ length: limit }, runNext));
}
