import { areCurrent, scoresOf } from '../../quality/quality.item.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** An output as it is now reaches what is asked of it. */
export const failedGate: ConsistencyRule = (record) =>
  record
    .of('scores')
    .filter((scores) => areCurrent(scores, record.find('output', scores.key)))
    .flatMap((item) => {
      const { agent, output, gates } = scoresOf(item);
      return gates
        .filter(({ passed }) => !passed)
        .map(({ gate, score, threshold }) =>
          warning(
            'gate-failed',
            `output:${agent}.${output}`,
            `${gate} is ${score}, and ${threshold} is asked for`,
          ),
        );
    });
