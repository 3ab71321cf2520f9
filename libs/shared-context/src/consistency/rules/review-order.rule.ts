import { type Item } from '../../item.js';
import { ArtifactNames } from '../artifact-names.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { type Finding, violation, warning } from '../finding.js';
import { memberOf } from '../payload.js';

/** Reviews of an artifact count its iterations: from 1, none left out, none after a later one. */
export const reviewOrder: ConsistencyRule = (record) => {
  const artifacts = new ArtifactNames(record);
  const lastOf = new Map<string, number>();
  return record.of('review').flatMap((review) => {
    const [artifact, iteration] = countedIn(review);
    if (typeof artifact !== 'string' || typeof iteration !== 'number') return [];
    const id = artifacts.resolve(artifact);
    const last = lastOf.get(id) ?? 0;
    lastOf.set(id, Math.max(last, iteration));
    return compared(`review:${review.key}`, iteration, last);
  });
};

function countedIn({ body }: Item) {
  return [memberOf(body, 'artifact'), memberOf(body, 'iteration')];
}

function compared(ref: string, iteration: number, last: number): readonly Finding[] {
  if (iteration < last) {
    const detail = `it is of iteration ${iteration}, and recorded after one of iteration ${last}`;
    return [violation('review-out-of-order', ref, detail)];
  }
  if (iteration <= last + 1) return [];
  const detail = `it is of iteration ${iteration}, and none is of iteration ${last + 1}`;
  return [warning('review-missing', ref, detail)];
}
