const isFull = process.env['THROUGHLINE_TEST_SIZE'] === 'full';

/** The size of a test of many repetitions: the smoke size in `npm test`, the full size with `npm run test:whole`. */
export function sized<Value>(smoke: Value, full: Value): Value {
  return isFull ? full : smoke;
}

/** Declares a test that takes long: only `npm run test:whole` runs it. */
export function itWhole(title: string, test: () => Promise<void>, limitMs?: number): void {
  if (isFull) it(title, test, limitMs);
}
