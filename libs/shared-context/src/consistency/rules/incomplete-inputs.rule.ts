import { checkOf } from '../../quality/quality.item.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Reports agents whose latest check of inputs found missing or invalid ones. */
export const incompleteInputs: ConsistencyRule = (record) =>
  record.of('input-check').flatMap((item) => {
    const { agent, checkedVersion, missing, failed } = checkOf(item);
    const faulty = [...missing, ...failed].map(({ input }) => input);
    if (faulty.length === 0) return [];
    const inputs = [...new Set(faulty)].join(', ');
    const detail = `checked last at version ${checkedVersion}, it lacked ${inputs}`;
    return [warning('inputs-incomplete', `agent:${agent}`, detail)];
  });
