import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { PutTransformationCommand } from '#application';
import { identifier } from '#shared-context';
import { transformationDefinition } from '#transformations';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { parseStoredInput } from '../http/parse-input.js';
import { transformationResponse } from './transformation.schema.js';

const putTransformation = endpoint({
  method: 'PUT',
  path: '/v1/transformations/{transformationId}',
  tag: 'Transformations',
  summary: 'Define how values are derived from others',
  description:
    'When the trigger has occurred and all `sources` exist, the result is written to the `destinations`, together with the output that triggered it; it is derived again when a source changes. Takes effect with the next write. Every version is stored; `active: false` disables the transformation.',
  access: 'admin',
  audience: 'none',
  body: plainBody(transformationDefinition),
  answers: {
    201: { description: 'A new version was stored', schema: transformationResponse },
    200: { description: 'The same definition was stored already', schema: transformationResponse },
  },
  problems: ['forbidden', 'validation-failed'],
  example: {
    trigger: { agent: 'analyst' },
    sources: {
      core_features: 'analyst.outputs.project_brief.structured_data.core_features',
      target_users: 'analyst.outputs.project_brief.structured_data.target_users',
    },
    operation: {
      kind: 'score',
      expression: '(len(core_features) * 2 + len(target_users) * 1.5) / 3',
    },
    destinations: ['project_metadata.complexity_score'],
  },
});

@Controller()
export class PutTransformationController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(putTransformation)
  async putTransformation(
    @Input(putTransformation) { principal, params, body }: InputOf<typeof putTransformation>,
  ): Promise<Answer> {
    const transformationId = parseStoredInput(identifier, params.transformationId, [
      'transformationId',
    ]);
    const { view, stored } = await this.commands.execute(
      new PutTransformationCommand(principal, transformationId, body),
    );
    return new Answer(stored ? 201 : 200, view);
  }
}
