import { z } from 'zod';

import { upcast, visibleText, withInputRule } from '#event-sourcing';

import { defineClientEvent, defineServerEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import {
  anyJson,
  contextId,
  identifier,
  jsonObject,
  namedValues,
  statedValues,
  text,
} from '../payload.schema.js';

const title = z.string().max(1000);

// This is the storage format: to change it, raise the version and add an upcast; never edit a stored shape in place.
export const contextCreated = defineServerEvent(
  'ContextCreated',
  z.strictObject({
    title: title.optional(),
    workflow: z
      .strictObject({
        definitionId: identifier,
        version: z.int().min(1),
        hash: text.max(256).optional(),
      })
      .optional(),
    input: anyJson.optional(),
    preferences: namedValues.optional(),
    metadata: jsonObject.optional(),
    globalContext: namedValues.optional(),
    parent: contextId.optional(),
    continues: contextId.optional(),
    estimates: jsonObject.optional(),
  }),
  { line: ({ title: named }) => `created${optionalText(': ', named)}` },
);

/** With the limits for input. */
export const contextToCreate = contextCreated.schema.extend({
  title: withInputRule(z.string().max(1000), { ...visibleText, always: true }).optional(),
  preferences: statedValues.optional(),
  globalContext: statedValues.optional(),
});

/** The outcomes that a client may state when it closes a context. */
export const statedOutcomes = ['completed', 'failed', 'cancelled', 'skipped'] as const;

export type StatedOutcome = (typeof statedOutcomes)[number];

const reason = text.max(10_000).optional();

const contextClosedV1 = z.strictObject({ reason });

const contextClosedPayload = z.strictObject({ outcome: z.enum(statedOutcomes).optional(), reason });
const contextReopenedPayload = z.strictObject({ reason });

/** Without `outcome`, the outcome of the context is derived from its other events. */
const contextClosed = defineClientEvent('ContextClosed', contextClosedPayload, {
  line: ({ outcome, reason: why }) =>
    `closed${optionalText(' as ', outcome)}${optionalText(': ', why)}`,
  client: { command: 'CloseContext', payload: contextClosedPayload },
  history: { version: 2, upcasts: { 1: upcast(contextClosedV1, (data) => data) } },
});

const contextReopened = defineClientEvent('ContextReopened', contextReopenedPayload, {
  line: ({ reason: why }) => `reopened${optionalText(': ', why)}`,
  client: { command: 'ReopenContext', payload: contextReopenedPayload },
});

export const lifeEvents = [contextCreated, contextClosed, contextReopened] as const;

export const lifeItemKinds = [
  defineItemKind('life', { isTraced: true }),
  defineItemKind('creation', { rulesReadBody: true, isTraced: true, view: { section: 'input' } }),
] as const;
