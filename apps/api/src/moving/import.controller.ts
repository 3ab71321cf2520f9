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
    'events-jsonl, for administrators: exported events of any number of contexts. Events that this server or a trusted one has signed are imported with the same ids, versions, times, authors and hashes. Events of a context without such a signature become events of the importing key, with the stated author in `origin`. Events that exist already are skipped, so an import can be repeated; if an event differs, the import is refused and nothing is stored. With `as`, the only context of the file is imported under another id, as new events of the importing key with the original author in `origin`. ' +
    'Other formats: a document creates a context; importing it again appends only the changes to that context. The importing key is the principal of every event, and the author and time in the document are its `origin`. `notes` lists the parts that were not imported unchanged. Send several documents of one context as lines of JSON, `{"name", "text"}` each. ' +
    'At most 16 MiB: send larger files in several requests.',
  access: 'write',
  cost: 'body',
  audience: 'whole',
  query: z.strictObject({
    format: importFormat,
    as: contextId
      .optional()
      .meta({ description: 'The id of the context to create from the file or document' }),
    name: z.string().min(1).max(4096).optional().meta({
      description: 'The file name of the document; the same name means the same document',
    }),
    dryRun: flag('Report what would be stored, and store nothing').optional(),
    register: flag(
      'Also register the agents and transformations that the documents define',
    ).optional(),
    author: z.string().min(1).max(256).optional().meta({
      description: 'The author of content for which the document states none',
    }),
    time: z.iso.datetime({ offset: true }).optional().meta({
      description: 'The time of content for which the document states none',
    }),
    firstLine: z
      .string()
      .regex(/^[1-9]\d{0,11}$/, 'must be a line number')
      .transform(Number)
      .optional()
      .meta({
        description: 'The line number of the first line, if the body is a portion of a larger file',
      }),
  }),
  body: textBody('An exported file, a document, or several documents'),
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
