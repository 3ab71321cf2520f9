import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';

import { root } from './compose-file.js';

// The schema of the Compose Specification (compose-spec/compose-spec, schema/compose-spec.json, Apache-2.0), which the
// package dclint contains verbatim.
const path = join(root, 'node_modules', 'dclint', 'schemas', 'compose.schema.json');

/** The faults that the published schema reports, one line each. */
export function schemaFaults(document: unknown): string[] {
  // Its URL of the draft is unknown to ajv; the draft is ajv's default.
  const schema = { ...JSON.parse(readFileSync(path, 'utf8')), $schema: undefined };
  const ajv = new Ajv({ strict: false, allErrors: true });
  const validate = ajv.compile(schema);
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) =>
    [instancePath || '/', message, params['additionalProperty']].filter(Boolean).join(' '),
  );
}
