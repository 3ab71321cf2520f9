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
  summary: 'Restore the state that a context had at a version',
  description:
    'Stores one event, independent of the size of the context, and one `IterationsCarried` for each loop that has changed since that version: iterations, limits and breakers are not restored. Earlier versions stay readable with asOf. Checkpoints survive, and generated ids are never reused. `after:<agentId>` is an automatic checkpoint: the state after the last completion by that agent. While a circuit breaker is tripped, only people can restore.',
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
