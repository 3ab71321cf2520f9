import { defineList } from '../declared/read-command.js';

export const listTransformations = defineList({
  name: 'transformation list',
  summary: 'List the transformations of the workspace',
  path: 'transformations',
  columns: [
    ['TRANSFORMATION', 'transformationId'],
    ['KIND', 'operation.kind'],
    ['ACTIVE', 'active'],
    ['DESTINATIONS', 'destinations'],
    ['VERSION', 'version'],
  ],
  empty: 'no transformations; "throughline transformation set" stores one',
  examples: ['throughline transformation list'],
});
