import { Controller } from '@nestjs/common';

import { clientPayloads } from '#shared-context';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const patchGlobalContext = endpoint({
  method: 'PATCH',
  path: '/v1/contexts/{contextId}/global-context',
  tag: 'Global context',
  summary: 'Change the global context',
  description: 'The body is a JSON merge patch (RFC 7396): null removes a member.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: plainBody(clientPayloads.GlobalContextSet.shape.values),
  answers: writeAnswers,
  problems: writeProblems,
  example: { constraints: ['no new dependencies'] },
});

@Controller()
export class PatchGlobalContextController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(patchGlobalContext)
  patchGlobalContext(
    @Input(patchGlobalContext) input: InputOf<typeof patchGlobalContext>,
  ): Promise<Answer> {
    const event = { type: 'GlobalContextSet', data: { values: input.body } } as const;
    return this.writing.append(input, { event, agentId: undefined });
  }
}
