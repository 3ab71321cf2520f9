import { contextArgument } from '../declared/address.js';
import { numberField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addArtifact = defineWrite({
  name: 'artifact add',
  summary: 'Reference a file or a document; the same id again is a new revision',
  path: 'contexts/{context}/artifacts',
  arguments: [contextArgument],
  fields: [
    required(textField('artifactType', '--type <type>', 'what it is: code, specification, report')),
    textField('artifactId', '--id <artifact>', 'id of the artifact (default: one is made)'),
    textField('path', '--path <path>', 'where it is in the repository'),
    textField('uri', '--uri <uri>', 'where it is otherwise'),
    textField('stepId', '--step <step>', 'the step that made it'),
    textField('change', '--change <change>', 'created, modified, deleted or renamed'),
    textField('commit', '--commit <commit>', 'the commit it is of'),
    textField('sha256', '--sha256 <hash>', 'of its bytes, in hexadecimal'),
    numberField('bytes', '--bytes <n>', 'its size'),
    textField('mediaType', '--media-type <type>', 'as text/markdown'),
    textField('fragment', '--fragment <fragment>', 'the part of it that is meant'),
  ],
  done: 'referenced artifact {artifactId}',
  examples: [
    'throughline artifact add demo --type specification --path docs/login.md --id login-spec',
    'throughline artifact add demo --type ticket --uri https://example.org/T-1',
  ],
});
