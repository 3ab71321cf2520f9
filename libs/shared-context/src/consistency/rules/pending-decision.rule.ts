import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Reports decisions that wait for approval. */
export const pendingDecision: ConsistencyRule = (record) =>
  record
    .of('decision')
    .filter(({ state }) => state['status'] === 'pending')
    .map(({ key }) =>
      warning('decision-pending', `decision:${key}`, 'it waits for a person to approve it'),
    );
