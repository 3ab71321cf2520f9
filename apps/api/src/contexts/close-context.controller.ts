import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { clientPayloads } from '#shared-context';

import { Answer } from '../http/answer.js';
import { writeAnswer, writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { statementBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { cancelRunQuery, cancelsRun } from '../http/query.schema.js';

const closed = writeAnswer.extend({
  open: z
    .array(z.object({ kind: z.string(), ref: z.string() }))
    .nullable()
    .meta({
      description:
        'At most 100 open items that are visible to the key; null if the context was closed but they could not be read',
    }),
  openTotal: z
    .int()
    .optional()
    .meta({ description: 'The total number of open items, if `open` does not list all' }),
});

const closeContext = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/close',
  tag: 'Contexts',
  summary: 'Close a context',
  description:
    'A closed context refuses every write except reopening. `outcome` states the result of the work; without it, the outcome is derived from the events. Closing the context again with the same outcome, or without one, adds nothing; with another outcome it is refused.',
  access: 'write',
  audience: 'gated',
  headers: writeHeaders,
  query: z.strictObject(cancelRunQuery),
  body: statementBody(clientPayloads.ContextClosed, { optional: true }),
  answers: {
    201: { ...writeAnswers[201], description: 'Closed', schema: closed },
    200: { ...writeAnswers[200], description: 'It was closed already', schema: closed },
  },
  problems: writeProblems,
  example: { outcome: 'completed', reason: 'shipped' },
});

@Controller()
export class CloseContextController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(closeContext)
  closeContext(@Input(closeContext) input: InputOf<typeof closeContext>): Promise<Answer> {
    return this.writing.close(input, { ...input.body, cancelRun: cancelsRun(input.query) });
  }
}
