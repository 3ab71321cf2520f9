import { basename } from 'node:path';

import Sequencer from '@jest/test-sequencer';

/**
 * Suites that run long although their files are short: they start many processes, wait for injected faults, or run a
 * contract from other files. Without recorded times, jest sorts by file size, and the last of these suites would run
 * alone.
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
