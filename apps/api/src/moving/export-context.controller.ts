import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ExportContextQuery } from '#application';
import { eventsJsonlMediaType } from '#interop';

import { Answer, StreamAnswer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { exchangeFormat } from './exchange-format.schema.js';

const exportContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/export',
  tag: 'Contexts',
  summary: 'Export a context',
  description:
    'Every event, complete and byte for byte, a line each, between a header and a closing line, with lines of signatures by the key of this server. A file without its closing line was cut off; if the hash chain is broken, it ends with a line `failed` instead.',
  access: 'read',
  audience: 'whole',
  query: z.strictObject({ format: exchangeFormat }),
  answers: {
    200: {
      description: 'The lines, as they are read',
      schema: z.string(),
      mediaType: eventsJsonlMediaType,
    },
  },
  problems: ['context-not-found', 'validation-failed', 'event-unreadable'],
});

@Controller()
export class ExportContextController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(exportContext)
  async exportContext(@Input(exportContext) input: InputOf<typeof exportContext>): Promise<Answer> {
    const { principal, params, signal } = input;
    const lines = await this.queries.execute(
      new ExportContextQuery({ principal, ...params, signal }),
    );
    return new StreamAnswer(lines, eventsJsonlMediaType, {
      'Content-Disposition': `attachment; filename="${params.contextId}.events.jsonl"`,
    });
  }
}
