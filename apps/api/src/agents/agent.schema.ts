import { z } from 'zod';

import { agentDefinition } from '#agent-contracts';

/** The registered definition of an agent, and who registered this version. */
export const agentResponse = z.looseObject({
  agentId: z.string(),
  ...agentDefinition.shape,
  version: z.int().min(1),
  changedAt: z.iso.datetime(),
  changedBy: z.string(),
});

/** A valid definition, for examples. */
export const agentExample = {
  name: 'John',
  role: 'product manager',
  kind: 'llm',
  contract: {
    inputs: {
      project_brief: {
        path: 'analyst.outputs.project_brief',
        requiredSections: ['problem_statement', 'target_users', 'core_features'],
        qualityThreshold: 6,
      },
      technical_preferences: { path: 'global_context.technical_preferences', required: false },
    },
    outputs: { prd: { qualityThresholds: { story_completeness: 7 } } },
  },
} as const;
