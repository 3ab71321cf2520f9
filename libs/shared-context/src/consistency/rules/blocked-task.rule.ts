import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Reports tasks that are blocked. */
export const blockedTask: ConsistencyRule = (record) =>
  record
    .of('task')
    .filter(({ state }) => state['status'] === 'blocked')
    .map(({ key }) =>
      warning('task-blocked', `task:${key}`, 'it is blocked, and has not been resumed'),
    );
