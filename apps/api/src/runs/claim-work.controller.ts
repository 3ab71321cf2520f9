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
  summary: 'Start the attempt that has waited longest for one of the agents',
  description:
    'The answer contains everything that the worker needs (its schema is /schemas/work.json), and the `attemptToken` with which the worker reports before the `deadline`. The status is 204 if no attempt is waiting and none arrives within `wait` seconds. Send a heartbeat several times in each lease (30 s). Attempts that the projector has not processed yet are not found. The key must be allowed to act for the agents. A key of a narrower audience gets the content that its first audience may read; if that excludes a part of the `input` of the step, other workers can claim the attempt for a minute, and then it fails with the code `hidden-input`.',
  access: 'write',
  audience: 'gated',
  body: plainBody(
    z.strictObject({
      agents: z.array(agentId).min(1).max(64),
      wait: z.int().min(0).max(60).default(0),
    }),
  ),
  answers: {
    200: { description: 'The started attempt', schema: workEnvelope },
    204: { description: 'No attempt is waiting' },
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
