import circus from 'jest-circus/runner';

import { startMeasuring } from './runner/processor-time.mjs';

const takeSeconds = startMeasuring();

/** Jest's runner of suites, with the processor time of each suite in its result. */
export default async function measureSuite(...args) {
  const result = await circus.default(...args);
  return { ...result, processorSeconds: takeSeconds() };
}
