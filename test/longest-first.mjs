import { basename } from 'node:path';

import Sequencer from '@jest/test-sequencer';

/**
 * Suites that take long and are not long to read: they start many processes, wait for what they broke, or run a contract
 * that is in other files. If no earlier run has recorded its times, jest goes by the size of the files, and the last of
 * these would run alone.
 */
const long = new Set([
  ...['moving-cli.e2e', 'cli.e2e', 'docs-pages.e2e', 'copy-store.e2e', 'replay-cli.e2e'],
  ...['streams-in-kurrentdb.e2e', 'projector.e2e', 'rebuild.e2e'],
  ...['run-cli.e2e', 'large-contexts.e2e', 'fuzz.e2e', 'workflow-hidden-inputs.e2e'],
  ...['audit.e2e', 'summaries.e2e', 'summary-notes.e2e', 'search.e2e', 'families.e2e'],
  ...['start-embedded-server.int', 'nesting.int', 'copy-log.int', 'faults.int'],
  ...['runs-killed.reliability', 'terminated.reliability', 'imports-killed.reliability'],
  ...['kurrent-event-store.int', 'postgres-event-store.int'],
]);

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const order = super.sort(tests);
    const isLong = ({ path }) => long.has(basename(path, '-spec.ts'));
    return [...order.filter(isLong), ...order.filter((test) => !isLong(test))];
  }
}
