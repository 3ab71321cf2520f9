import { type CommandRules } from '../command-rule.js';
import { asJson, jsonEquals } from '../json.js';
import { artifactKey } from './artifact.fold.js';

export const artifactRules: CommandRules<'ReferenceArtifact'> = {
  ReferenceArtifact: {
    reads: ({ data }) => [artifactKey(data.artifactId)],
    decide: ({ data }, current) =>
      jsonEquals(current('artifact', data.artifactId)?.body, asJson(data))
        ? []
        : [{ type: 'ArtifactReferenced', data }],
  },
};
