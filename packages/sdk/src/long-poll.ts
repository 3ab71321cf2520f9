const [longestWaitSeconds, minMarginMs, longestMarginMs] = [20, 1_000, 5_000];

/**
 * For how many whole seconds to ask the server to wait, so that it has answered before the client gives the request up: what a server
 * does for a client that is gone, such as starting an attempt, would be lost.
 */
export function waitSecondsWithin(timeoutMs: number): number {
  const marginMs = Math.min(longestMarginMs, Math.max(minMarginMs, timeoutMs / 4));
  const seconds = Math.floor((timeoutMs - marginMs) / 1_000);
  return Math.max(0, Math.min(longestWaitSeconds, seconds));
}
