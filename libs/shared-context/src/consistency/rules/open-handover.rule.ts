import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';

/** Whoever a critical handover is for must have said that it was heard. */
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
