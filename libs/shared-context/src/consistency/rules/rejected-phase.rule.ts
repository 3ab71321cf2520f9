import { type Item } from '../../item.js';
import { phaseStatus } from '../../phases/phase.item.js';
import { ArtifactNames } from '../artifact-names.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';
import { memberOf, textsIn } from '../payload.js';

const rejectingStatuses: ReadonlySet<unknown> = new Set(['REJECTED_WITH_FEEDBACK', 'BLOCKED']);

/** Reports completed phases if the newest review of the phase or of one of its outputs rejects it. */
export const rejectedPhase: ConsistencyRule = (record) => {
  const artifacts = new ArtifactNames(record);
  // Reviews are ordered, so the newest review of an artifact replaces the earlier ones.
  const newest = new Map(
    record.of('review').flatMap((review) => {
      const named = memberOf(review.body, 'artifact');
      return typeof named === 'string' ? [[artifacts.resolve(named), review] as const] : [];
    }),
  );
  return record
    .of('phase')
    .filter((phase) => phaseStatus(phase) === 'completed')
    .flatMap((phase) =>
      outputsOf(phase).flatMap((output) => {
        const review = newest.get(artifacts.resolve(output));
        if (!rejectingStatuses.has(review?.state['status'])) return [];
        const detail = `it is completed, and the newest review of "${output}", ${review?.key}, says ${String(review?.state['status'])}`;
        return [violation('phase-rejected', `phase:${phase.key}`, detail)];
      }),
    );
};

/** Includes the phase itself, which may also be reviewed. */
function outputsOf({ key, body }: Item): readonly string[] {
  return [...new Set([key, ...textsIn(memberOf(body, 'outputs'))])];
}
