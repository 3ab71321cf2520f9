import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { cancelRunQuery, cancelsRun } from '../http/query.schema.js';
import { namedVersion, versionNamed } from './named-version.js';

const restoreContext = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/restore',
  tag: 'Timelines',
  summary: 'Put back what a context held at a version',
  description:
    'One new event, whatever the size of the context, and one `IterationsCarried` for each loop that has changed since that version: iterations, limits and breakers stay as they are. Earlier versions stay readable with asOf; checkpoints stay, and so do made ids, which are never given again. `after:<agentId>` is a checkpoint that nobody needs to make: what the context held once that agent had completed something last. While a circuit breaker is tripped, only people go back.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  query: z.strictObject(cancelRunQuery),
  body: plainBody(namedVersion),
  answers: writeAnswers,
  problems: [...writeProblems, 'circuit-open', 'invalid-position', 'inside-append'],
  example: { checkpoint: 'before the refactoring' },
});

@Controller()
export class RestoreContextController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(restoreContext)
  restoreContext(@Input(restoreContext) input: InputOf<typeof restoreContext>): Promise<Answer> {
    const target = versionNamed(input.body);
    return this.writing.restore(input, {
      ...target,
      agentId: input.body.agentId,
      cancelRun: cancelsRun(input.query),
    });
  }
}
