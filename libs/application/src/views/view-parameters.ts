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

/** Strict, because an unknown parameter may change the text. */
const viewParameters = z.strictObject({
  maxTokens: z.int().min(1),
  tokenizer: z.enum(tokenizerNames),
  wholeOutputs: z.int().min(0),
  overflow: z.enum(['refuse', 'minimum']),
  sections: z.array(z.enum(sections)).nullable(),
  focus: focus.nullable(),
  transformationVersions: z.int().min(0).optional(),
});

/** The parameters of a view; `transformationVersions` as in {@link ViewRequestScope}. */
type StatedParameters = ViewParameters & Readonly<{ transformationVersions?: number | undefined }>;

/**
 * Parses the view parameters of a receipt; undefined if there are none, or if they are from an incompatible version of
 * Throughline.
 */
export function parseViewParameters(parameters: JsonObject | null): StatedParameters | undefined {
  return viewParameters.safeParse(parameters).data;
}
