const [longestWaitSeconds, minMarginMs, longestMarginMs] = [20, 1_000, 5_000];

/**
 * Returns the wait of a long poll in whole seconds, so that the server answers before the timeout of the client. Otherwise the
 * result of the request, such as a started attempt, would be lost.
 */
export function waitSecondsWithin(timeoutMs: number): number {
  const marginMs = Math.min(longestMarginMs, Math.max(minMarginMs, timeoutMs / 4));
  const seconds = Math.floor((timeoutMs - marginMs) / 1_000);
  return Math.max(0, Math.min(longestWaitSeconds, seconds));
}
