import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';

import { workflowJsonSchema } from './workflow-json-schema.js';

const published = join(import.meta.dirname, '../../../../docs/schemas/workflow-definition.json');

describe('the published JSON Schema', () => {
  /** With THROUGHLINE_DOCS=write the file is written instead. */
  it('is that of the schema that definitions are parsed by', async () => {
    const text = await format(JSON.stringify(workflowJsonSchema()), { parser: 'json' });
    if (process.env['THROUGHLINE_DOCS'] === 'write') writeFileSync(published, text);
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(workflowJsonSchema());
  });
});
