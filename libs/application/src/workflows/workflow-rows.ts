import { z } from 'zod';

import { parseJsonObject } from '#event-sourcing';
import { type WorkflowDefinition, countSteps } from '#workflow';

import { type WholeWorkflowView, type WorkflowView } from './workflows.messages.js';

/** The facts of a definition for lists; stored separately, so that lists need not read all definitions. */
const summary = z.object({
  description: z.string().nullable(),
  enabled: z.boolean(),
  visibleTo: z.array(z.string()).nullable(),
  steps: z.number(),
});

type Summary = z.output<typeof summary>;

const row = z.object({
  definition_id: z.string(),
  version: z.number(),
  hash: z.string(),
  summary: z.string(),
  published_at: z.date(),
  published_by: z.string(),
});

const wholeRow = row.extend({ definition: z.string() });

export function summaryOf(definition: WorkflowDefinition): Summary {
  return {
    description: definition.description ?? null,
    enabled: definition.enabled ?? true,
    visibleTo: definition.visible_to ? [...definition.visible_to] : null,
    steps: countSteps(definition),
  };
}

export function toView(stored: unknown): WorkflowView {
  const { definition_id, version, hash, published_at, published_by, ...rest } = row.parse(stored);
  return {
    definitionId: definition_id,
    version,
    hash,
    ...summary.parse(JSON.parse(rest.summary)),
    publishedAt: published_at.toISOString(),
    publishedBy: published_by,
  };
}

export function toWholeView(stored: unknown): WholeWorkflowView {
  // Publishing accepts only objects. A stored definition is not validated again: its schema may have changed since.
  const definition = parseJsonObject(wholeRow.parse(stored).definition);
  return { ...toView(stored), definition };
}
