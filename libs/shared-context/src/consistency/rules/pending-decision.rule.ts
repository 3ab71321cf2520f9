import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** What waits for a person does not hold yet. */
export const pendingDecision: ConsistencyRule = (record) =>
  record
    .of('decision')
    .filter(({ state }) => state['status'] === 'pending')
    .map(({ key }) =>
      warning('decision-pending', `decision:${key}`, 'it waits for a person to approve it'),
    );
