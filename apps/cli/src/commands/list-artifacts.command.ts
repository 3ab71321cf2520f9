import { contextArgument } from '../declared/address.js';
import { asOfOption, audienceOption, defineList } from '../declared/read-command.js';

export const listArtifacts = defineList({
  name: 'artifact list',
  summary: 'List the artifacts of a context in their latest revision',
  path: 'contexts/{context}/artifacts',
  arguments: [contextArgument],
  options: [asOfOption, audienceOption],
  columns: [
    ['ARTIFACT', 'artifactId'],
    ['TYPE', 'artifactType'],
    ['CHANGE', 'change'],
    ['STEP', 'stepId'],
    ['WHERE', 'path|uri'],
  ],
  empty: 'no artifacts',
  examples: ['throughline artifact list demo'],
});
