import { z } from 'zod';

import { sections, tokenizerNames } from '#context-views';
import { type JsonObject } from '#event-sourcing';

import { type ViewParameters } from './view.messages.js';

const child = z.tuple([z.string(), z.int().min(1)]);

const focus = z.discriminatedUnion('on', [
  z.strictObject({
    on: z.literal('handover'),
    agent: z.string().nullable(),
    since: z.int().min(0).nullable(),
  }),
  z.strictObject({ on: z.literal('rework'), subject: z.string() }),
  z.strictObject({
    on: z.literal('retrospective'),
    children: z
      .union([z.array(child), z.string()])
      .nullable()
      .default(null),
  }),
]);

/** Strict: what is not known may change what the text would be. */
const viewParameters = z.strictObject({
  maxTokens: z.int().min(1),
  tokenizer: z.enum(tokenizerNames),
  wholeOutputs: z.int().min(0),
  overflow: z.enum(['refuse', 'minimum']),
  sections: z.array(z.enum(sections)).nullable(),
  focus: focus.nullable(),
  transformationVersions: z.int().min(0).optional(),
});

/** What a view was made with; `transformationVersions` as in {@link ViewRequestScope}. */
type StatedParameters = ViewParameters & Readonly<{ transformationVersions?: number | undefined }>;

/** Of a receipt; undefined for those of a Throughline that knows others, and for none. */
export function parseViewParameters(parameters: JsonObject | null): StatedParameters | undefined {
  return viewParameters.safeParse(parameters).data;
}
