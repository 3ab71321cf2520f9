import { ArtifactNames } from '../artifact-names.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';
import { memberOf } from '../payload.js';

/** What is reviewed is known: an artifact, or a step or task whose result it is. */
export const unknownReviewed: ConsistencyRule = (record) => {
  const artifacts = new ArtifactNames(record);
  const isKnown = (named: string) =>
    artifacts.has(named) || record.has('step', named) || record.has('task', named);
  return record.of('review').flatMap(({ key, body }) => {
    const named = memberOf(body, 'artifact');
    if (typeof named !== 'string' || isKnown(named)) return [];
    const detail = `it is of "${named}", which is not referenced as an artifact`;
    return [warning('artifact-missing', `review:${key}`, detail)];
  });
};
