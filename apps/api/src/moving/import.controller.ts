import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ImportDocumentsCommand, ImportEventsCommand } from '#application';
import { contextId } from '#shared-context';

import { Answer } from '../http/answer.js';
import { textBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { flag } from '../http/query.schema.js';
import { eventsFormat, importFormat } from './exchange-format.schema.js';
import { readEventsBody, readNamedTexts } from './imported-texts.js';

export const importsPath = '/v1/imports';

const note = z.object({
  document: z.string(),
  line: z.int(),
  pointer: z.string(),
  kind: z.enum(['text', 'left-out', 'changed']),
  detail: z.string(),
});

const importInto = endpoint({
  method: 'POST',
  path: importsPath,
  tag: 'Contexts',
  summary: 'Import contexts',
  description:
    'events-jsonl, for administrators: events as they were exported, of any number of contexts: same ids, versions, times, authors and hashes if this server or one that it trusts has signed them. Events of a context without such a signature become events of the importing key, with the stated author in `origin`. Events that exist already are skipped, so repeating is harmless; if one differs, the import is refused and nothing is stored. With `as`, the one context of the file is imported under another id, by new events of the importing key with the original author in `origin`. ' +
    'Other formats: a document becomes a context, or goes on with the one that it was imported into, to which only what changed is appended. The importing key is the principal of every event, and the author and time that the document states are its `origin`. `notes` lists what was not taken over as it was. Several documents of one context are sent as lines of JSON, `{"name", "text"}` each. ' +
    'At most 16 MiB: larger files in several requests.',
  access: 'write',
  cost: 'body',
  audience: 'whole',
  query: z.strictObject({
    format: importFormat,
    as: contextId.optional().meta({ description: 'The context to make of the file or document' }),
    name: z.string().min(1).max(4096).optional().meta({
      description: 'The file that the document is from; the same name is the same document',
    }),
    dryRun: flag('Say what would be stored, and store nothing').optional(),
    register: flag(
      'Also register the agents and transformations that the documents define',
    ).optional(),
    author: z.string().min(1).max(256).optional().meta({
      description: 'Whose work it is said to be, of which the document does not say so',
    }),
    time: z.iso.datetime({ offset: true }).optional().meta({
      description: 'When it is said to have happened, of which the document does not say so',
    }),
    firstLine: z
      .string()
      .regex(/^[1-9]\d{0,11}$/, 'must be a line number')
      .transform(Number)
      .optional()
      .meta({ description: 'The number of the first line, of a portion of a larger file' }),
  }),
  body: textBody('A file as an export answers it, a document, or several'),
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
            created: z.boolean().optional(),
            events: z.record(z.string(), z.int()).optional(),
          }),
        ),
        dryRun: z.boolean().optional(),
        notes: z.array(note).optional(),
        registered: z.array(z.string()).optional(),
      }),
    },
  },
  problems: [
    'forbidden',
    'context-not-found',
    'context-exists',
    'context-closed',
    'decision-topic-taken',
    'circuit-open',
    'concurrency-exhausted',
    'append-too-large',
    'validation-failed',
    'storage-full',
    'outcome-unknown',
  ],
});

@Controller()
export class ImportController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(importInto)
  async importInto(@Input(importInto) input: InputOf<typeof importInto>): Promise<Answer> {
    const { format } = input.query;
    return format === eventsFormat ? this.#importEvents(input) : this.#importDocuments(input);
  }

  async #importEvents({ principal, body, query }: InputOf<typeof importInto>): Promise<Answer> {
    const text = readEventsBody(body, query);
    const contexts = await this.commands.execute(
      new ImportEventsCommand({ principal, text, as: query.as }),
    );
    return new Answer(200, { contexts });
  }

  async #importDocuments({ principal, body, query }: InputOf<typeof importInto>): Promise<Answer> {
    const { format, as, dryRun = false, register = false, firstLine, author, time } = query;
    const claim = { agentId: author, timestamp: time };
    const documents = readNamedTexts(body, query);
    const { notes, registered, ...context } = await this.commands.execute(
      new ImportDocumentsCommand({
        principal,
        format,
        documents,
        as,
        dryRun,
        register,
        claim,
        firstLine,
      }),
    );
    return new Answer(200, {
      contexts: [{ ...context, signed: false }],
      dryRun,
      notes,
      registered,
    });
  }
}
