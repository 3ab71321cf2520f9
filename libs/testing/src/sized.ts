const isFull = process.env['THROUGHLINE_TEST_SIZE'] === 'full';

/** The size of a test of many repetitions: the smoke size in `npm test`, the full size with `npm run test:whole`. */
export function sized<Value>(smoke: Value, full: Value): Value {
  return isFull ? full : smoke;
}
