import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const updateRisk = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/risks/{riskId}',
  tag: 'Plan',
  summary: 'Update the status or the mitigation of a risk',
  description: 'Without a mitigation the one stated before stays.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('RiskUpdated', { fromPath: ['riskId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: { status: 'mitigated' },
});

@Controller()
export class UpdateRiskController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(updateRisk)
  updateRisk(@Input(updateRisk) input: InputOf<typeof updateRisk>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
