import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const recordControllers = [
  appendController('appendRecord', {
    path: '/v1/contexts/{contextId}/records',
    tag: 'Records',
    summary: 'Append a section to the record of the work',
    description:
      'The section is Markdown, the fields of its kind, or both. The same id with the same content changes nothing.',
    body: eventBody('RecordAppended'),
    example: {
      kind: 'dev-record',
      title: 'Registration',
      body: 'Registration with e-mail verification.',
      fields: { filesCreated: ['src/users.ts'], notesForReviewer: ['Templates need a look'] },
    },
  }),
];
