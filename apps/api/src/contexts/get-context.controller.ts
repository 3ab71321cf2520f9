import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { type DocumentText, FindContextQuery, FindVersionQuery } from '#application';

import { Answer, PiecesAnswer, TextAnswer, etagOf, noteHeaders } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { matchesNone } from '../http/headers.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery } from '../http/query.schema.js';
import { partsQuery } from './document-parts.schema.js';
import { contextDocument } from './context-document.schema.js';

const getContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}',
  tag: 'Contexts',
  summary: 'Read the document, or parts of it',
  description:
    'Never stale: the document contains every write that was acknowledged before. If-None-Match returns 304, except for a context with children: their progress is read from lists, and changes without a new version. With `parts`, only these members are loaded, and ETag and Receipt apply to them.',
  access: 'read',
  audience: 'gated',
  cost: 'document',
  headers: ['If-None-Match'],
  query: z.strictObject({ ...asOfQuery, ...audienceQuery, ...partsQuery }),
  answers: {
    200: {
      description:
        'The document; the header Notes warns if its token count approaches the threshold of the workspace',
      schema: contextDocument,
      headers: ['ETag', 'Receipt', 'Notes'],
    },
    304: { description: 'The copy with this ETag is current', headers: ['ETag'] },
  },
  problems: readProblems,
});

@Controller()
export class GetContextController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getContext)
  async getContext(@Input(getContext) input: InputOf<typeof getContext>): Promise<Answer> {
    const { principal, signal, query, params, ifNoneMatch } = input;
    const { asOf, audience, parts } = query;
    const request = { principal, contextId: params.contextId, audience, parts, signal };
    if (ifNoneMatch !== undefined && asOf === undefined) {
      const { version, tag, isParent } = await this.queries.execute(new FindVersionQuery(request));
      const ETag = etagOf(version, tag);
      if (!isParent && matchesNone(ifNoneMatch, ETag)) return new Answer(304, undefined, { ETag });
    }
    const { text, receipt, isParent, notes, ...metadata } = await this.queries.execute(
      new FindContextQuery({ ...request, asOf }),
    );
    const ETag = etagOf(metadata.version, metadata.tag);
    const headers = { ETag, Receipt: receipt, ...noteHeaders(notes) };
    return !isParent && matchesNone(ifNoneMatch, ETag)
      ? new Answer(304, undefined, { ETag })
      : answerOf(text, headers);
  }
}

function answerOf(text: string | DocumentText, headers: Readonly<Record<string, string>>): Answer {
  const mediaType = 'application/json; charset=utf-8';
  return typeof text === 'string'
    ? new TextAnswer(text, mediaType, headers)
    : new PiecesAnswer(text.pieces, mediaType, headers);
}
