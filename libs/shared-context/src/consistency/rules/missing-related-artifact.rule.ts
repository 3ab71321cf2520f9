import { ArtifactNames } from '../artifact-names.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';
import { memberOf, textsIn } from '../payload.js';

/**
 * Reports artifacts that an open handover names and that have not been referenced. A handover that was carried over
 * from another context may name artifacts of that context.
 */
export const missingRelatedArtifact: ConsistencyRule = (record) => {
  const artifacts = new ArtifactNames(record);
  return record
    .of('handover')
    .filter(
      ({ state, body }) =>
        state['status'] === 'open' && memberOf(body, 'carriedFrom') === undefined,
    )
    .flatMap(({ key, body }) =>
      textsIn(memberOf(body, 'relatedArtifacts'))
        .filter((named) => !artifacts.has(named))
        .map((named) =>
          violation(
            'artifact-missing',
            `handover:${key}`,
            `it names the artifact "${named}", which is not referenced`,
          ),
        ),
    );
};
