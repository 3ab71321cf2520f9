import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const acknowledgeHandover = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/handovers/{handoverId}/acknowledge',
  tag: 'Handovers',
  summary: 'Acknowledge a handover',
  description:
    'For the agent whom it is `to`, which is a key that may act for it, and for people. Acknowledging it again changes nothing.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('HandoverAcknowledged', { optional: true, fromPath: ['handoverId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: { note: 'Seen, starting with the schemas' },
});

@Controller()
export class AcknowledgeHandoverController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(acknowledgeHandover)
  acknowledgeHandover(
    @Input(acknowledgeHandover) input: InputOf<typeof acknowledgeHandover>,
  ): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
