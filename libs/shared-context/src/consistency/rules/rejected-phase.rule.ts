import { type Item } from '../../item.js';
import { phaseStatus } from '../../phases/phase.item.js';
import { ArtifactNames } from '../artifact-names.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';
import { memberOf, textsIn } from '../payload.js';

const against: ReadonlySet<unknown> = new Set(['REJECTED_WITH_FEEDBACK', 'BLOCKED']);

/** What a phase is completed with has not been turned down by the newest review of it. */
export const rejectedPhase: ConsistencyRule = (record) => {
  const artifacts = new ArtifactNames(record);
  // The newest review of each comes last.
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
        if (!against.has(review?.state['status'])) return [];
        const detail = `it is completed, and the newest review of "${output}", ${review?.key}, says ${String(review?.state['status'])}`;
        return [violation('phase-rejected', `phase:${phase.key}`, detail)];
      }),
    );
};

/** A review may be of the phase itself. */
function outputsOf({ key, body }: Item): readonly string[] {
  return [...new Set([key, ...textsIn(memberOf(body, 'outputs'))])];
}
