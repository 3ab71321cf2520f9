const windowMs = 60_000;
const maxInWindow = 5;
const firstDelayMs = 50;
const longestDelayMs = 5_000;

/** Determines when a server that ended by itself is restarted. Times are milliseconds of any one clock. */
type RestartPolicy = {
  /** The delay before the next start; `undefined` to give up. */
  next(now: number): number | undefined;
};

export function createRestartPolicy(): RestartPolicy {
  let recent: readonly number[] = [];
  return {
    next: (now) => {
      recent = [...recent.filter((time) => now - time < windowMs), now];
      if (recent.length > maxInWindow) return undefined;
      return Math.min(firstDelayMs * 4 ** (recent.length - 1), longestDelayMs);
    },
  };
}
