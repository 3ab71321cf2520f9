import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';
import { isInForce } from '../in-force.js';
import { memberOf, textsIn } from '../payload.js';

/** Reports requirements that a decision names and that are not recorded. */
export const missingRequirement: ConsistencyRule = (record) =>
  record
    .of('decision')
    .filter(isInForce)
    .flatMap(({ key, body }) =>
      textsIn(memberOf(body, 'relatedRequirements'))
        .filter((named) => !idsIn(named).some((id) => record.has('requirement', id)))
        .map((named) =>
          violation(
            'requirement-missing',
            `decision:${key}`,
            `it names the requirement "${named}", which is not recorded`,
          ),
        ),
    );

/** A reference to a requirement is its id, alone or before a colon: `R-3.2`, or `R-3.2: 10,000 users at a time`. */
function idsIn(named: string): readonly string[] {
  const [beforeColon = ''] = named.split(':', 1);
  return [named, beforeColon.trim()];
}
