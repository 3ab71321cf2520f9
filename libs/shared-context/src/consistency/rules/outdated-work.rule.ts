import { staleWork, workKinds } from '../../basis/stale-work.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Work made from what does not hold any more may have to be done again. */
export const outdatedWork: ConsistencyRule = (record) =>
  staleWork(workKinds.flatMap((kind) => record.of(kind))).map(
    ({ item: { kind, key }, decisionId, supersededBy }) =>
      warning(
        'work-stale',
        `${kind}:${key}`,
        `its author had read decision ${decisionId} as in force${supersededBy === null ? '' : `, which ${supersededBy} has superseded`}`,
      ),
  );
