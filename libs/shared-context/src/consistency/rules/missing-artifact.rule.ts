import { type ConsistencyRule } from '../consistency-rule.js';
import { violation } from '../finding.js';
import { memberOf, textsIn } from '../payload.js';

/** Reports artifacts that an output names and that have not been referenced. */
export const missingArtifact: ConsistencyRule = (record) =>
  record.of('step-output').flatMap(({ key, body }) =>
    textsIn(memberOf(body, 'artifactIds'))
      .filter((artifactId) => !record.has('artifact', artifactId))
      .map((artifactId) =>
        violation(
          'artifact-missing',
          `step:${key}`,
          `its output names the artifact "${artifactId}", which is not referenced`,
        ),
      ),
  );
