import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ClaimWorkCommand } from '#application';
import { agentId } from '#shared-context';
import { workEnvelope } from '#workflow';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const claimWork = endpoint({
  method: 'POST',
  path: '/v1/work/claim',
  tag: 'Runs',
  summary: 'Start the attempt that has waited longest for one of these agents',
  description:
    'The answer has all that the worker needs (/schemas/work.json is its schema), and the `attemptToken` by which it reports before the `deadline`. 204 if nothing waits, or came up within `wait` seconds. Send a heartbeat several times in each lease (30 s). May lag by what the projector has not read yet. For keys that may act for the agents. A key of a narrower audience is given what its first audience sees; if that lacks something that the `input` of the step names, the attempt is left to others for a minute, and then fails with the code `hidden-input`.',
  access: 'write',
  audience: 'gated',
  body: plainBody(
    z.strictObject({
      agents: z.array(agentId).min(1).max(64),
      wait: z.int().min(0).max(60).default(0),
    }),
  ),
  answers: {
    200: { description: 'An attempt that has been started', schema: workEnvelope },
    204: { description: 'Nothing waits' },
  },
  problems: ['forbidden', 'not-found', 'validation-failed', 'unavailable', 'outcome-unknown'],
  example: { agents: ['coder'], wait: 20 },
});

@Controller()
export class ClaimWorkController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(claimWork)
  async claimWork(
    @Input(claimWork) { principal, body, signal }: InputOf<typeof claimWork>,
  ): Promise<Answer> {
    const work = await this.commands.execute(
      new ClaimWorkCommand(principal, body.agents, { seconds: body.wait, signal }),
    );
    return work ? new Answer(200, work) : new Answer(204, undefined);
  }
}
