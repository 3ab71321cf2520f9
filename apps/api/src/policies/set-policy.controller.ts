import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { SetPolicyCommand } from '#application';
import { policySchema } from '#context-views';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { policyView } from './policy.schema.js';

const setPolicy = endpoint({
  method: 'PUT',
  path: '/v1/policies/{audience}',
  tag: 'Policies',
  summary: 'Say what an audience sees',
  description:
    'Replaces the policy as a whole and takes effect with the next read. Events are seen that some rule of show speaks of and none of hide. Every version is kept.',
  access: 'admin',
  audience: 'none',
  body: plainBody(policySchema),
  answers: { 200: { description: 'The policy now in force', schema: policyView } },
  problems: ['forbidden', 'validation-failed'],
  example: {
    show: [
      { types: ['GlobalContextSet', 'RequirementRecorded', 'ArtifactReferenced'] },
      { types: ['DecisionRecorded'], without: ['alternativesConsidered'] },
    ],
    decisions: 'live',
  },
});

@Controller()
export class SetPolicyController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(setPolicy)
  async setPolicy(@Input(setPolicy) input: InputOf<typeof setPolicy>): Promise<Answer> {
    const { principal, params, body } = input;
    const command = new SetPolicyCommand(principal, params.audience, body);
    return new Answer(200, await this.commands.execute(command));
  }
}
