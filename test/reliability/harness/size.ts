/** `full` is nightly or before a release; the smoke size runs on every commit. */
export const isFull = process.env['THROUGHLINE_RELIABILITY'] === 'full';

export function sized<Value>(smoke: Value, full: Value): Value {
  return isFull ? full : smoke;
}

/** For a test of several minutes or hours; what hangs in a smoke run is found sooner. */
export const limitMs = sized(180_000, 6 * 3_600_000);

/** What is left of it is for the audit. */
export const workLimitMs = limitMs * 0.8;

/** What a run depends on beside the machine; the same seed makes the same choices. It is the seed of the whole run unless given. */
export function chooseSeed(env: NodeJS.ProcessEnv = process.env): number {
  const given = env['THROUGHLINE_RELIABILITY_SEED'] || env['THROUGHLINE_TEST_SEED'];
  return given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
}
