import { type CommandRules } from '../command-rule.js';
import { asJson, jsonEquals } from '../json.js';
import { artifactKey, stepKey } from '../item-keys.js';

export const artifactRules: CommandRules<'ReferenceArtifact'> = {
  ReferenceArtifact: {
    reads: ({ data }) => [artifactKey(data.artifactId)],
    refersTo: ({ data: { artifactId, stepId } }) => [
      { pointer: '/artifactId', item: artifactKey(artifactId) },
      ...(stepId === undefined ? [] : [{ pointer: '/stepId', item: stepKey(stepId) }]),
    ],
    decide: ({ data }, current) =>
      jsonEquals(current('artifact', data.artifactId)?.body, asJson(data))
        ? []
        : [{ type: 'ArtifactReferenced', data }],
  },
};
