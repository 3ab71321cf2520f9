import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Reports blockers that are not cleared. */
export const openBlocker: ConsistencyRule = (record) =>
  record
    .of('blocker')
    .filter(({ state }) => state['status'] === 'open')
    .map(({ key }) => warning('blocker-open', `blocker:${key}`, 'it is not cleared'));
