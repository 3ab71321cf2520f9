import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** A step that failed last waits for another try, or for somebody to give it up. */
export const failedStep: ConsistencyRule = (record) =>
  record
    .of('step')
    .filter(({ state }) => state['status'] === 'failed')
    .map(({ key }) =>
      warning('step-failed', `step:${key}`, 'it failed, and nothing has completed it since'),
    );
