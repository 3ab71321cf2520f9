import { checkOf } from '../../quality/quality.item.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** An agent that lacked inputs is asked again once they are there. */
export const incompleteInputs: ConsistencyRule = (record) =>
  record.of('input-check').flatMap((item) => {
    const { agent, checkedVersion, missing, failed } = checkOf(item);
    const wrong = [...missing, ...failed].map(({ input }) => input);
    if (wrong.length === 0) return [];
    const inputs = [...new Set(wrong)].join(', ');
    const detail = `checked last at version ${checkedVersion}, it lacked ${inputs}`;
    return [warning('inputs-incomplete', `agent:${agent}`, detail)];
  });
