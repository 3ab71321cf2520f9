import { isBlocking } from '../../severity.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';

/** Reports blocking issues that no later review has addressed. */
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
