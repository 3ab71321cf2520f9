import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { SetPolicyCommand } from '#application';
import { policySchema } from '#visibility';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { invalidInput } from '../problems/problem.error.js';
import { policyToSet, policyView } from './policy.schema.js';

/** Drops the members that GET adds to a policy. */
const withoutAnswer = policySchema.strip();

const setPolicy = endpoint({
  method: 'PUT',
  path: '/v1/policies/{audience}',
  tag: 'Policies',
  summary: 'Define what an audience sees',
  description:
    'Replaces the policy as a whole and takes effect with the next read. Events are seen that some rule of show speaks of and none of hide. Every version is kept. A policy may be sent as it was read.',
  access: 'admin',
  audience: 'none',
  body: plainBody(policyToSet),
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
    const { principal, params } = input;
    const { audience } = input.body;
    if (audience !== undefined && audience !== params.audience)
      throw invalidInput([
        { pointer: '/audience', detail: 'differs from the path: leave it out, or send the same' },
      ]);
    const policy = withoutAnswer.parse(input.body);
    const command = new SetPolicyCommand(principal, params.audience, policy);
    return new Answer(200, await this.commands.execute(command));
  }
}
