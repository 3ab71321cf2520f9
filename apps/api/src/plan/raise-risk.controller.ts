import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const raiseRisk = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/risks',
  tag: 'Plan',
  summary: 'Raise a risk',
  description:
    'A risk is open until an update states another status; if the request states one, that update is stored in the same append.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('RiskRaised'),
  answers: writeAnswers,
  problems: writeProblems,
  example: {
    riskId: 'RISK-001',
    severity: 'medium',
    description: 'Readers may see stale data',
    mitigation: 'Show when it was read',
  },
});

@Controller()
export class RaiseRiskController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(raiseRisk)
  raiseRisk(@Input(raiseRisk) input: InputOf<typeof raiseRisk>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
