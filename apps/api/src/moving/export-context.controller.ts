import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ExportContextQuery, ExportDocumentsQuery } from '#application';
import { type NamedText, documentFormats, eventsJsonlMediaType } from '#interop';

import { Answer, StreamAnswer, TextAnswer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery } from '../http/query.schema.js';
import { jsonLinesMediaType } from '../http/text-body.js';
import { ProblemError, invalidInput } from '../problems/problem.error.js';
import { eventsFormat, exportFormat } from './exchange-format.schema.js';

const mediaTypesOfDocuments = [
  ...new Set(documentFormats.flatMap(({ write, mediaType }) => (write ? [mediaType] : []))),
];

const exportContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/export',
  tag: 'Contexts',
  summary: 'Export a context',
  description:
    'events-jsonl: every event, complete and byte for byte, one per line, between a header and a closing line, with signature lines by the key of this server; needs a key that sees everything. A file without the closing line is truncated; if the hash chain is broken, the file ends with a line `failed` instead. ' +
    'Other formats: the visible content of the context as a document. For the audience `all`, unchanged parts of an imported document are exported exactly as they were imported. Several documents are returned as lines of JSON, `{"name", "text"}` each; `document` selects one. The header `Not-Carried` lists the parts of the context that the format cannot represent.',
  access: 'read',
  cost: 'export',
  audience: 'gated',
  query: z.strictObject({
    format: exportFormat,
    document: z.string().optional().meta({ description: 'The name of one document' }),
    ...audienceQuery,
    ...asOfQuery,
  }),
  answers: {
    200: {
      description: 'The lines, streamed, or the document',
      schema: z.string(),
      mediaType: eventsJsonlMediaType,
      otherMediaTypes: mediaTypesOfDocuments,
      headers: ['Content-Disposition', 'Not-Carried'],
    },
  },
  problems: [
    'context-not-found',
    'not-found',
    'validation-failed',
    'invalid-position',
    'event-unreadable',
  ],
});

type ExportInput = InputOf<typeof exportContext>;

@Controller()
export class ExportContextController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(exportContext)
  async exportContext(@Input(exportContext) input: ExportInput): Promise<Answer> {
    return input.query.format === eventsFormat
      ? this.#exportEvents(input)
      : this.#exportDocuments(input);
  }

  async #exportEvents({ principal, params, query, signal }: ExportInput): Promise<Answer> {
    const unsupported = (['document', 'audience', 'asOf'] as const).find((name) => query[name]);
    if (unsupported)
      throw invalidInput([
        {
          pointer: `/${unsupported}`,
          detail: `is for documents, not for ${eventsFormat}: omit it`,
        },
      ]);
    const lines = await this.queries.execute(
      new ExportContextQuery({ principal, ...params, signal }),
    );
    return new StreamAnswer(lines, eventsJsonlMediaType, {
      'Content-Disposition': `attachment; filename="${params.contextId}.events.jsonl"`,
    });
  }

  async #exportDocuments({ principal, params, query, signal }: ExportInput): Promise<Answer> {
    const { document: name, ...selected } = query;
    const { documents, mediaType, notCarried } = await this.queries.execute(
      new ExportDocumentsQuery({ principal, ...params, ...selected, signal }),
    );
    const headers = notCarried.length > 0 ? { 'Not-Carried': notCarried.join(', ') } : {};
    const chosen = name === undefined ? documents : documents.filter((one) => one.name === name);
    const [first, second] = chosen;
    if (name !== undefined && !first)
      throw new ProblemError('not-found', `this context has no document "${name}"`);
    return first && !second
      ? new TextAnswer(first.text, `${mediaType}; charset=utf-8`, headers)
      : new TextAnswer(linesOf(chosen), jsonLinesMediaType, headers);
  }
}

function linesOf(documents: readonly NamedText[]): string {
  return documents.map(({ name, text }) => `${JSON.stringify({ name, text })}\n`).join('');
}
