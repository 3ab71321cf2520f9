import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ChangeSettingsCommand, settingsSchema } from '#application';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const { decisionConfidenceThreshold, maxIterations, agentsMayClose, tokenThreshold } =
  settingsSchema.shape;
const { viewMaxTokens, viewTokenizer, viewWholeOutputs, summaries, maxRunningAttempts } =
  settingsSchema.shape;

const patchSettings = endpoint({
  method: 'PATCH',
  path: '/v1/settings',
  tag: 'Settings',
  summary: 'Change the defaults of the workspace',
  description: 'The body is a JSON merge patch: null resets a member to its default.',
  access: 'admin',
  audience: 'none',
  body: plainBody(
    z.strictObject({
      decisionConfidenceThreshold: decisionConfidenceThreshold.nullable().optional(),
      maxIterations: maxIterations.nullable().optional(),
      agentsMayClose: agentsMayClose.nullable().optional(),
      tokenThreshold: tokenThreshold.nullable().optional(),
      viewMaxTokens: viewMaxTokens.nullable().optional(),
      viewTokenizer: viewTokenizer.nullable().optional(),
      viewWholeOutputs: viewWholeOutputs.nullable().optional(),
      summaries: summaries.nullable().optional(),
      maxRunningAttempts: maxRunningAttempts.optional(),
    }),
  ),
  answers: { 200: { description: 'The new settings', schema: settingsSchema } },
  problems: ['forbidden', 'validation-failed'],
  example: { agentsMayClose: false },
});

@Controller()
export class PatchSettingsController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(patchSettings)
  async patchSettings(@Input(patchSettings) input: InputOf<typeof patchSettings>): Promise<Answer> {
    const command = new ChangeSettingsCommand(input.principal, input.body);
    return new Answer(200, await this.commands.execute(command));
  }
}
