import { trustLevels } from '#event-sourcing';

import { type JsonSchema } from './json-schema.js';

/** The request headers of the API by name, as OpenAPI parameters. */
export const headerParameters: Readonly<Record<string, JsonSchema>> = {
  'If-Match': header('If-Match', 'The version the write was decided on, as "<version>"', {
    pattern: '^(W/)?"(0|[1-9][0-9]*)(-[0-9a-f]{16})?"$',
  }),
  'If-None-Match': header('If-None-Match', 'The ETag of the copy at hand; 304 where it is current'),
  'Idempotency-Key': header(
    'Idempotency-Key',
    'Makes the write repeatable: the same key and body are answered as the first time',
    { pattern: '^[!-~]{1,255}$' },
  ),
  'Based-On': header('Based-On', 'The receipt of what the author had read'),
  'Correlation-Id': header('Correlation-Id', 'What this belongs to; kept with every event'),
  'Causation-Id': header('Causation-Id', 'What led to this; kept with every event'),
  Trust: header('Trust', 'Where the content comes from', { enum: trustLevels }),
  Workspace: header('Workspace', 'The workspace to act in; for the root key only'),
  'Last-Event-ID': header(
    'Last-Event-ID',
    'The id of the last event that was received; wins over `after`',
  ),
  'X-Request-Id': header('X-Request-Id', 'Echoed; made by the server where it is left out'),
};

function header(name: string, description: string, schema: JsonSchema = {}): JsonSchema {
  return {
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...schema },
  };
}
