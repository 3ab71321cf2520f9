/** Returns the answer, or undefined after `ms` or an error; for probes that must not hang. */
export async function answerWithin<Answer>(
  ms: number,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([ask(), late.promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
