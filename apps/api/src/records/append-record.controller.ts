import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const appendRecord = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/records',
  tag: 'Records',
  summary: 'Append a section to the story',
  description:
    'Markdown, the fields of its kind, or both. The same id with the same words changes nothing.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('RecordAppended'),
  answers: writeAnswers,
  problems: writeProblems,
  example: {
    kind: 'dev-record',
    title: 'Registration',
    body: 'Registration with e-mail verification.',
    fields: { filesCreated: ['src/users.ts'], notesForReviewer: ['Templates need a look'] },
  },
});

@Controller()
export class AppendRecordController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(appendRecord)
  appendRecord(@Input(appendRecord) input: InputOf<typeof appendRecord>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
