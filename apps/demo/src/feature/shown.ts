import { z } from 'zod';

/** A decision as the API returns it. */
export const shownDecision = z.looseObject({
  decisionId: z.string(),
  topic: z.string().optional(),
  decision: z.string(),
  agentId: z.string(),
  status: z.string(),
  live: z.boolean(),
  stale: z.boolean(),
  confidence: z.number().optional(),
  supersedes: z.string().optional(),
});

export type ShownDecision = z.output<typeof shownDecision>;

/** The members of the document that the demo reads. */
export const shownDocument = z.looseObject({
  contextId: z.string(),
  title: z.string(),
  status: z.string(),
  globalContext: z.looseObject({}),
  userPreferences: z.looseObject({}),
  stepOutputs: z.looseObject({}),
  decisionHistory: z.array(shownDecision),
  artifactReferences: z.array(
    z.looseObject({ artifactId: z.string(), path: z.string().optional() }),
  ),
  size: z.looseObject({ events: z.int(), bytes: z.int(), tokens: z.int() }),
  _version: z.int(),
  _lastModifiedBy: z.string(),
});

export type ShownDocument = z.output<typeof shownDocument>;
