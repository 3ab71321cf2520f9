/** `full` runs nightly or before a release; the smoke size runs on every commit. */
export const isFull = process.env['THROUGHLINE_RELIABILITY'] === 'full';

export function sized<Value>(smoke: Value, full: Value): Value {
  return isFull ? full : smoke;
}

/** For a test of several minutes or hours; a smoke run that hangs is detected sooner. */
export const limitMs = sized(180_000, 6 * 3_600_000);

/** The remaining time is for the audit. */
export const workLimitMs = limitMs * 0.8;

/**
 * The seed of all choices of a run; the same seed makes the same choices. The default is the seed of the whole test
 * run.
 */
export function chooseSeed(env: NodeJS.ProcessEnv = process.env): number {
  const specified = env['THROUGHLINE_RELIABILITY_SEED'] || env['THROUGHLINE_TEST_SEED'];
  return specified ? Number(specified) : Math.floor(Math.random() * 2 ** 31);
}
