import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { identifier } from '#shared-context';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { statementBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const createCheckpoint = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/checkpoints',
  tag: 'Timelines',
  summary: 'Name the current version',
  description:
    'A name can be used once per context. Checkpoints survive a restore of the context; forks have their own checkpoints. Names that begin with `after:` are reserved for automatic checkpoints.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: statementBody(z.strictObject({ name: identifier })),
  answers: writeAnswers,
  problems: writeProblems,
  example: { name: 'before the refactoring' },
});

@Controller()
export class CreateCheckpointController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(createCheckpoint)
  createCheckpoint(
    @Input(createCheckpoint) input: InputOf<typeof createCheckpoint>,
  ): Promise<Answer> {
    const { data, visibility, agentId } = input.body;
    const command = { type: 'CreateCheckpoint', data, visibility } as const;
    const { contextId } = input.params;
    return this.writing.write(input, { contextId, commands: [command], agentId });
  }
}
