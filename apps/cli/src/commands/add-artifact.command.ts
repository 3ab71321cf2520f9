import { contextArgument } from '../declared/address.js';
import { numberField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addArtifact = defineWrite({
  name: 'artifact add',
  summary: 'Reference a file or a document; a repeated id adds a revision',
  path: 'contexts/{context}/artifacts',
  arguments: [contextArgument],
  fields: [
    required(
      textField('artifactType', '--type <type>', 'type, such as code, specification or report'),
    ),
    textField('artifactId', '--id <artifact>', 'id of the artifact (default: generated)'),
    textField('path', '--path <path>', 'path in the repository'),
    textField('uri', '--uri <uri>', 'address outside the repository'),
    textField('stepId', '--step <step>', 'the step that produced it'),
    textField('change', '--change <change>', 'created, modified, deleted or renamed'),
    textField('commit', '--commit <commit>', 'the commit of this revision'),
    textField('sha256', '--sha256 <hash>', 'SHA-256 hash of its bytes, in hexadecimal'),
    numberField('bytes', '--bytes <n>', 'size in bytes'),
    textField('mediaType', '--media-type <type>', 'media type, such as text/markdown'),
    textField('fragment', '--fragment <fragment>', 'the relevant part of the artifact'),
  ],
  done: 'referenced artifact {artifactId}',
  examples: [
    'throughline artifact add demo --type specification --path docs/login.md --id login-spec',
    'throughline artifact add demo --type ticket --uri https://example.org/T-1',
  ],
});
