import { defineList } from '../declared/read-command.js';

export const listTransformations = defineList({
  name: 'transformation list',
  summary: 'List how values are derived from others, in this workspace',
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
