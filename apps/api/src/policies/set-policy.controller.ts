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
const policyMembers = policySchema.strip();

const setPolicy = endpoint({
  method: 'PUT',
  path: '/v1/policies/{audience}',
  tag: 'Policies',
  summary: 'Define the policy of an audience',
  description:
    'Replaces the whole policy and takes effect with the next read. An event is visible if a rule of `show` matches it and no rule of `hide` does. Every version is stored. The answer of GET may be sent unchanged.',
  access: 'admin',
  audience: 'none',
  body: plainBody(policyToSet),
  answers: { 200: { description: 'The new policy', schema: policyView } },
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
        { pointer: '/audience', detail: 'differs from the path: omit it, or send the same' },
      ]);
    const policy = policyMembers.parse(input.body);
    const command = new SetPolicyCommand(principal, params.audience, policy);
    return new Answer(200, await this.commands.execute(command));
  }
}
