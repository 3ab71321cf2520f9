import { isJsonArray } from '#event-sourcing';

import { type Item } from '../../item.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';
import { isInForce } from '../in-force.js';
import { memberOf, textsIn } from '../payload.js';

/** Reports decisions that a decision cites or supersedes and that are not recorded. */
export const missingDecision: ConsistencyRule = (record) =>
  record
    .of('decision')
    .filter(isInForce)
    .flatMap((decision) =>
      citedDecisionIds(decision)
        .filter((decisionId) => !record.has('decision', decisionId))
        .map((decisionId) =>
          violation(
            'decision-missing',
            `decision:${decision.key}`,
            `it names the decision "${decisionId}", which is not recorded`,
          ),
        ),
    );

function citedDecisionIds({ body }: Item): readonly string[] {
  const related = memberOf(body, 'relatedDecisions');
  const cited = isJsonArray(related)
    ? related.map((one) => memberOf(one, 'decisionId') ?? null)
    : [];
  return [...new Set(textsIn([...cited, memberOf(body, 'supersedes') ?? null]))];
}
