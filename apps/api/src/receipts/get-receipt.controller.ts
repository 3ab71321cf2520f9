import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FindReceiptQuery, textMissing } from '#application';
import { receiptKinds } from '#context-views';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const citation = z.looseObject({
  contextId: z.string(),
  eventId: z.uuid(),
  type: z.string(),
  version: z.int(),
});

const receiptAnswer = z.looseObject({
  receipt: z.string(),
  contextId: z.string(),
  version: z.int(),
  audience: z.string(),
  kind: z.enum(receiptKinds),
  parameters: z.looseObject({}).nullable().meta({
    description:
      'The parameters of the read, and transformationVersions, the versions of transformations that mark derived values; null if they are too large for a receipt',
  }),
  renderer: z.int().meta({ description: 'The version of the renderer of the text' }),
  hash: z.string().meta({ description: 'SHA-256 of the returned bytes' }),
  citedBy: z.array(citation).meta({
    description: 'The events that cite the receipt and are visible to the key, oldest first',
  }),
  citedByTruncated: z.boolean(),
  text: z.string().nullable().meta({ description: 'Exactly the text that was returned' }),
  kept: z.boolean().meta({ description: 'Whether the text is stored, because an event cites it' }),
  missing: z.enum(textMissing).nullable().meta({ description: 'The reason if there is no text' }),
  missingDetail: z.string().nullable().meta({ description: 'The reason as a sentence' }),
});

const getReceipt = endpoint({
  method: 'GET',
  path: '/v1/receipts/{receipt}',
  tag: 'Receipts',
  summary: 'Read the content that an earlier read returned',
  description:
    'A text that a write has cited is stored permanently; any other text is rendered again, and returned only if it is identical byte for byte.',
  access: 'read',
  audience: 'gated',
  answers: { 200: { description: 'The receipt with its text', schema: receiptAnswer } },
  problems: ['not-found', 'receipt-erased', 'event-unreadable'],
});

@Controller()
export class GetReceiptController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getReceipt)
  async getReceipt(@Input(getReceipt) input: InputOf<typeof getReceipt>): Promise<Answer> {
    const { principal, params, signal } = input;
    const query = new FindReceiptQuery({ principal, receipt: params.receipt, signal });
    return new Answer(200, await this.queries.execute(query));
  }
}
