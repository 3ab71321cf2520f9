import { z } from 'zod';

import { visibleText, withInputRule } from '#event-sourcing';

import { contractLimits, runningAttemptsLimit } from './limits.js';
import { contractName, named } from './named.schema.js';
import { valueSchema } from './value-schema.js';

const agentKinds = ['llm', 'person', 'tool', 'service'] as const;

/** What an input is to be at least, by the names of JSON; `markdown` is a text with a heading. */
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

/** Every rule but `required` says what the value must be like where there is one. */
const inputRules = z.strictObject({
  /** Where the value stands: `analyst.outputs.project_brief.structured_data.core_features`. */
  path: z.string().min(1).max(256),
  /** True unless said otherwise. */
  required: z.boolean().optional(),
  /** Members, of the value or of its `structured_data`, or headings of a Markdown text, that are there and not blank. */
  requiredSections: demands.optional(),
  /** Words found somewhere in it, whatever their case. */
  mustContain: demands.optional(),
  /** Characters of a text. */
  minLength: z.int().min(0).optional(),
  /** Entries of a list, members of an object. */
  minCount: z.int().min(0).optional(),
  format: z.enum(inputFormats).optional(),
  /** The least `overall_score` of the output that the value is, or is a part of. */
  qualityThreshold: z.number().optional(),
  schema: valueSchema.optional(),
});

const outputRules = z.strictObject({
  schema: valueSchema.optional(),
  /** The least score by measure; a score below it fails its gate. */
  qualityThresholds: named(contractName, z.number(), contractLimits.thresholds).optional(),
});

/** What an agent needs and what it promises, by names. */
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
    /** The prompt that calls it. */
    template: z.string().max(100_000).optional(),
    /** What its views are unless a request says otherwise. */
    view: viewDefaults.optional(),
    /** How many attempts of runs it carries out at once at most, in all processes together; absent: any number. */
    maxRunningAttempts: z.int().min(1).max(runningAttemptsLimit).optional(),
  })
  .refine(
    (definition) => JSON.stringify(definition).length <= contractLimits.definitionLength,
    `is longer than ${contractLimits.definitionLength} characters as JSON`,
  );

export type AgentDefinition = z.output<typeof agentDefinition>;
export type InputRules = z.output<typeof inputRules>;
export type OutputRules = z.output<typeof outputRules>;

/** Outputs are named by whoever adds them, so that any such name may be spoken of. */
function outputName() {
  return z.string().min(1).max(256);
}
