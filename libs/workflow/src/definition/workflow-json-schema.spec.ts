import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { workflowJsonSchema } from './workflow-json-schema.js';

const published = join(import.meta.dirname, '../../../../docs/schemas/workflow-definition.json');

describe('the published JSON Schema', () => {
  /** With THROUGHLINE_DOCS=write the file is written instead; `npm run format` formats it. */
  it('equals the schema that parses definitions', () => {
    const text = JSON.stringify(workflowJsonSchema());
    if (process.env['THROUGHLINE_DOCS'] === 'write') writeFileSync(published, text);
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(workflowJsonSchema());
  });
});
