import { z } from 'zod';

import { visibleText, withInputRule } from '#event-sourcing';

import { contractLimits, runningAttemptsLimit } from './limits.js';
import { contractName, named } from './named.schema.js';
import { valueSchema } from './value-schema.js';

const agentKinds = ['llm', 'person', 'tool', 'service'] as const;

/** The required type of an input, by the names of JSON; `markdown` is a text with a heading. */
const inputFormats = [
  'array',
  'object',
  'string',
  'number',
  'integer',
  'boolean',
  'markdown',
] as const;

const demands = z.array(z.string().min(1).max(256)).min(1).max(contractLimits.demands);

/** The rules for an input. All of them except `required` apply only if there is a value. */
const inputRules = z.strictObject({
  /** The path of the value: `analyst.outputs.project_brief.structured_data.core_features`. */
  path: z.string().min(1).max(256),
  /** Default: true. */
  required: z.boolean().optional(),
  /**
   * Members of the value or of its `structured_data`, or headings of a Markdown text, that must be present and not
   * blank.
   */
  requiredSections: demands.optional(),
  /** Words that the value must contain, in any case. */
  mustContain: demands.optional(),
  /** Minimum number of characters of a text. */
  minLength: z.int().min(0).optional(),
  /** Minimum number of entries of a list or members of an object. */
  minCount: z.int().min(0).optional(),
  format: z.enum(inputFormats).optional(),
  /** Minimum `overall_score` of the output that contains the value. */
  qualityThreshold: z.number().optional(),
  schema: valueSchema.optional(),
});

const outputRules = z.strictObject({
  schema: valueSchema.optional(),
  /** Minimum score by gate; a lower score fails the gate. */
  qualityThresholds: named(contractName, z.number(), contractLimits.thresholds).optional(),
});

/** The inputs that an agent needs and the outputs that it promises, by name. */
const contract = z.strictObject({
  inputs: named(contractName, inputRules, contractLimits.inputs).optional(),
  outputs: named(outputName(), outputRules, contractLimits.outputs).optional(),
});

const viewDefaults = z.strictObject({
  maxTokens: z.int().min(1).max(10_000_000).optional(),
  tokenizer: z.enum(['o200k_base', 'cl100k_base', 'chars4']).optional(),
  wholeOutputs: z.int().min(0).max(100).optional(),
});

/** The definition of an agent, without its id. */
export const agentDefinition = z
  .strictObject({
    name: withInputRule(z.string().min(1).max(256), visibleText),
    role: withInputRule(z.string().min(1).max(1_000), visibleText),
    persona: z.string().max(20_000).optional(),
    kind: z.enum(agentKinds),
    contract: contract.optional(),
    /** The prompt template for calling the agent. */
    template: z.string().max(100_000).optional(),
    /** Defaults for its views; a request can override them. */
    view: viewDefaults.optional(),
    /** Maximum number of concurrent attempts of runs, in all processes together; absent: unlimited. */
    maxRunningAttempts: z.int().min(1).max(runningAttemptsLimit).optional(),
  })
  .refine(
    (definition) => JSON.stringify(definition).length <= contractLimits.definitionLength,
    `is longer than ${contractLimits.definitionLength} characters as JSON`,
  );

export type AgentDefinition = z.output<typeof agentDefinition>;
export type InputRules = z.output<typeof inputRules>;
export type OutputRules = z.output<typeof outputRules>;

/** Any name is allowed, as the agent that adds an output chooses its name. */
function outputName() {
  return z.string().min(1).max(256);
}
