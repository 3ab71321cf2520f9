import { type ItemKind } from '../../item-kinds.js';
import { ArtifactNames } from '../artifact-names.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';
import { memberOf } from '../payload.js';

const workKinds: readonly ItemKind[] = ['step', 'task', 'phase'];

/** Reports reviews of something that is neither a referenced artifact nor a known step, task or phase. */
export const unknownReviewed: ConsistencyRule = (record) => {
  const artifacts = new ArtifactNames(record);
  const isKnown = (named: string) =>
    artifacts.has(named) || workKinds.some((kind) => record.has(kind, named));
  return record.of('review').flatMap(({ key, body }) => {
    const named = memberOf(body, 'artifact');
    if (typeof named !== 'string' || isKnown(named)) return [];
    const detail = `it reviews "${named}", which is not referenced as an artifact`;
    return [warning('artifact-missing', `review:${key}`, detail)];
  });
};
