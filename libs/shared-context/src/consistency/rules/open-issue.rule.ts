import { isBlocking } from '../../severity.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';

/** An issue that is in the way of what was reviewed must be addressed by a later review. */
export const openIssue: ConsistencyRule = (record) =>
  record
    .of('issue')
    .filter(({ state }) => state['status'] === 'open' && isBlocking(state['severity']))
    .map(({ key, state }) =>
      violation(
        'issue-unaddressed',
        `issue:${key}`,
        `it is ${String(state['severity'])}, and no review has addressed it since "${String(state['reviewId'])}" raised it`,
      ),
    );
