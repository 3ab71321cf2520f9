import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Reports input requests that are still open. */
export const openInputRequest: ConsistencyRule = (record) =>
  record
    .of('input-request')
    .filter(({ state }) => state['status'] === 'open')
    .map(({ key, state }) =>
      warning(
        'input-awaited',
        `input-request:${key}`,
        `${String(state['from'])} has not provided it`,
      ),
    );
