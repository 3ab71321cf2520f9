import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Reports steps whose latest attempt failed: they have to be retried or abandoned. */
export const failedStep: ConsistencyRule = (record) =>
  record
    .of('step')
    .filter(({ state }) => state['status'] === 'failed')
    .map(({ key }) =>
      warning('step-failed', `step:${key}`, 'it failed, and nothing has completed it since'),
    );
