/**
 * Throttles an expensive query: returns the previous result until `restTimes` times the duration of the query has passed, and at least
 * `restMs`. Callers during a query get its result.
 */
export function throttledQuery<Result>(
  query: () => Promise<Result>,
  { restMs, restTimes, now = () => performance.now() }: ThrottleOptions,
): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  let until = Infinity;
  return () => {
    if (latest && now() < until) return latest;
    const began = now();
    const running = query();
    latest = running;
    until = Infinity;
    running.then(
      () => (until = now() + Math.max(restMs, (now() - began) * restTimes)),
      () => (latest = undefined),
    );
    return running;
  };
}

type ThrottleOptions = Readonly<{ restMs: number; restTimes: number; now?: () => number }>;
