import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';

/** Reports critical handovers that the recipient has not acknowledged. */
export const openHandover: ConsistencyRule = (record) =>
  record
    .of('handover')
    .filter(({ state }) => state['status'] === 'open' && state['priority'] === 'critical')
    .map(({ key, state }) =>
      violation(
        'handover-unacknowledged',
        `handover:${key}`,
        `it is critical, and ${String(state['to'])} has not acknowledged it`,
      ),
    );
