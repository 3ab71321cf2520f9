import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addDependency = defineWrite({
  name: 'dependency add',
  summary: 'Declare a dependency; declaring it again with the other kind corrects it',
  path: 'contexts/{context}/dependencies',
  arguments: [contextArgument],
  fields: [
    required(textField('name', '[name]', 'name of the dependency')),
    required(textField('kind', '--kind <kind>', 'external or internal')),
  ],
  done: 'declared dependency {name}',
  examples: ['throughline dependency add demo Redis --kind external'],
});
