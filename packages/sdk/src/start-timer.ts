/** A longer timer, more than 24 days, would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/** Calls `act` after `ms`, or never if that is too long for a timer. Returns a function that stops the timer. */
export function startTimer(act: () => void, ms: number): () => void {
  if (ms > longestTimerMs) return () => undefined;
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
