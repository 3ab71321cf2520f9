import { z } from 'zod';

const part = z.record(z.string(), z.unknown());
const list = z.array(z.looseObject({}));

/** The document as it is documented; reading clients carry on with members they do not know. */
export const contextDocument = z.looseObject({
  contextId: z.string(),
  workspace: z.string(),
  title: z.string().nullable(),
  status: z.enum(['open', 'closed']),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  metadata: part,
  globalContext: part,
  stepOutputs: part.meta({ description: 'The latest output of each step, exactly as sent' }),
  decisionHistory: list.meta({ description: 'Every decision, oldest first' }),
  userPreferences: part,
  artifactReferences: list,
  reviewHistory: list.meta({ description: 'Every review, oldest first' }),
  openIssues: list.meta({ description: 'Issues of reviews that no later review addresses' }),
  requirements: list,
  risks: list,
  dependencies: z.looseObject({ external: list, internal: list, blockers: list }),
  records: list.meta({ description: 'The sections of the story, oldest first' }),
  size: z.looseObject({ events: z.int(), bytes: z.int(), tokens: z.int() }),
  _version: z.int(),
  _lastModifiedAt: z.iso.datetime(),
  _lastModifiedBy: z.string(),
});
