import { Controller } from '@nestjs/common';

import { clientPayloads } from '#shared-context';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const patchPreferences = endpoint({
  method: 'PATCH',
  path: '/v1/contexts/{contextId}/preferences',
  tag: 'Preferences',
  summary: 'Change preferences',
  description: 'The body is a JSON merge patch (RFC 7396): null removes a member.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: plainBody(clientPayloads.PreferencesSet.shape.values),
  answers: writeAnswers,
  problems: writeProblems,
  example: { language: 'de', theme: null },
});

@Controller()
export class PatchPreferencesController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(patchPreferences)
  patchPreferences(
    @Input(patchPreferences) input: InputOf<typeof patchPreferences>,
  ): Promise<Answer> {
    const event = { type: 'PreferencesSet', data: { values: input.body } } as const;
    return this.writing.append(input, { event, agentId: undefined });
  }
}
