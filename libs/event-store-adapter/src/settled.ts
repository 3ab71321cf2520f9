/** Resolves once a promise has ended, also if it failed: for work whose failure is of no consequence, or reported elsewhere. */
export async function settled(work: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([work]);
}
