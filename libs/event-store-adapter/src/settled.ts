/** Resolves when a promise has settled, even if it was rejected: for failures that do not matter or are reported elsewhere. */
export async function settled(work: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([work]);
}
