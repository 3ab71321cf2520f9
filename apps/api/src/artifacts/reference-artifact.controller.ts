import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const referenceArtifact = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/artifacts',
  tag: 'Artifacts',
  summary: 'Reference an artifact',
  description: 'The same id again is a new revision; the identical artifact changes nothing.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('ArtifactReferenced'),
  answers: writeAnswers,
  problems: writeProblems,
  example: { artifactId: 'login-spec', artifactType: 'specification', path: 'docs/login.md' },
});

@Controller()
export class ReferenceArtifactController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(referenceArtifact)
  referenceArtifact(
    @Input(referenceArtifact) input: InputOf<typeof referenceArtifact>,
  ): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
