import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const deriveNow = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/transformations/{transformationId}/derive',
  tag: 'Transformations',
  summary: 'Derive values from the existing content of a context',
  description:
    'For a transformation that was stored or changed after the context was written. Derives its values from the current content, and then the values that depend on them. Its trigger must have occurred and all its sources must exist; otherwise, or if the values are unchanged, nothing is added. The limits of writes apply.',
  access: 'admin',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(z.strictObject({}), { optional: true }),
  answers: {
    201: { ...writeAnswers[201], description: 'Derived and stored' },
    200: { ...writeAnswers[200], description: 'Nothing to add' },
  },
  problems: [...writeProblems, 'not-found'],
  example: {},
});

@Controller()
export class DeriveNowController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(deriveNow)
  deriveNow(@Input(deriveNow) input: InputOf<typeof deriveNow>): Promise<Answer> {
    return this.writing.derive(input, input.params.transformationId);
  }
}
