import { type Item } from '../../item.js';
import { ArtifactNames } from '../artifact-names.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { type Finding, violation, warning } from '../finding.js';
import { memberOf } from '../payload.js';

/** Reports reviews whose iterations of an artifact are not consecutive from 1 and in ascending order. */
export const reviewOrder: ConsistencyRule = (record) => {
  const artifacts = new ArtifactNames(record);
  const lastOf = new Map<string, number>();
  return record.of('review').flatMap((review) => {
    const [artifact, iteration] = iterationOf(review);
    if (typeof artifact !== 'string' || typeof iteration !== 'number') return [];
    const id = artifacts.resolve(artifact);
    const last = lastOf.get(id) ?? 0;
    lastOf.set(id, Math.max(last, iteration));
    return orderFindings(`review:${review.key}`, iteration, last);
  });
};

function iterationOf({ body }: Item) {
  return [memberOf(body, 'artifact'), memberOf(body, 'iteration')];
}

function orderFindings(ref: string, iteration: number, last: number): readonly Finding[] {
  if (iteration < last) {
    const detail = `it has iteration ${iteration}, and was recorded after a review of iteration ${last}`;
    return [violation('review-out-of-order', ref, detail)];
  }
  if (iteration <= last + 1) return [];
  const detail = `it has iteration ${iteration}, and there is no review of iteration ${last + 1}`;
  return [warning('review-missing', ref, detail)];
}
