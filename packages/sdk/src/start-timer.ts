/** A timer with more than this, 24 days, would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Calls `act` after `ms`, or never if no timer can wait so long. Returns the function that stops the timer. */
export function startTimer(act: () => void, ms: number): () => void {
  if (ms > longestTimerMs) return () => undefined;
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
