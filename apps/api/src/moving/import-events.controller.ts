import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ImportEventsCommand } from '#application';
import { contextId } from '#shared-context';

import { Answer } from '../http/answer.js';
import { linesBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { exchangeFormat } from './exchange-format.schema.js';

const importEvents = endpoint({
  method: 'POST',
  path: '/v1/imports',
  tag: 'Contexts',
  summary: 'Import contexts',
  description:
    'Events as they were exported, of any number of contexts: same ids, versions, times, authors and hashes if this server or one that it trusts has signed them. Events of a context without such a signature become events of the importing key, with the stated author in `origin`. Events that exist already are skipped, so repeating is harmless; if one differs, the import is refused and nothing is stored. With `as`, the one context of the file is imported under another id, by new events of the importing key with the original author in `origin`. At most 16 MiB: larger files in several requests, each a file of its own.',
  access: 'admin',
  audience: 'none',
  query: z.strictObject({
    format: exchangeFormat,
    as: contextId.optional().meta({ description: 'The context to make of the one in the file' }),
  }),
  body: linesBody('A file as an export answers it'),
  answers: {
    200: {
      description: 'The result for each context',
      schema: z.object({
        contexts: z.array(
          z.object({
            contextId: z.string(),
            version: z.int(),
            imported: z.int(),
            skipped: z.int(),
            signed: z.boolean(),
          }),
        ),
      }),
    },
  },
  problems: [
    'forbidden',
    'context-exists',
    'concurrency-exhausted',
    'append-too-large',
    'validation-failed',
    'storage-full',
    'outcome-unknown',
  ],
});

@Controller()
export class ImportEventsController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(importEvents)
  async importEvents(@Input(importEvents) input: InputOf<typeof importEvents>): Promise<Answer> {
    const { principal, body: text, query } = input;
    const contexts = await this.commands.execute(
      new ImportEventsCommand({ principal, text, as: query.as }),
    );
    return new Answer(200, { contexts });
  }
}
