import { type JsonValue } from '#event-sourcing';

import { checkValue } from './check-value.js';
import { type Contract, type ContractInput, outputAt } from './contract.js';
import { checkRules } from './input-rules.js';
import { type Score, checkQuality } from './quality.js';
import { contractLimits } from './limits.js';
import { type ValueSchema } from './value-schema.js';

/** What stands at the path of an input, and what is known of the output that it is, or is a part of. */
export type Given = Readonly<{
  value: JsonValue | undefined;
  /** The output's newest `overall_score`; undefined where nobody has stated one. */
  score?: Score | undefined;
  /** What the output's agent has promised of it, and the whole of it. */
  promise?: Readonly<{ schema: ValueSchema; output: JsonValue }> | undefined;
}>;

/** A required input that is not there. */
export type Missing = Readonly<{ input: string; path: string; detail: string }>;

/** An input that is there and does not do. `rule`: what it breaks, by its name in the contract. */
export type Failed = Readonly<{ input: string; path: string; rule: string; detail: string }>;

export type Findings = Readonly<{
  ok: boolean;
  missing: readonly Missing[];
  failed: readonly Failed[];
}>;

/** Holds what is there against what a contract asks for; every finding says what is wrong. Pure and total. */
export function checkInputs(
  { inputs }: Contract,
  given: (input: ContractInput) => Given,
): Findings {
  const missing: Missing[] = [];
  const failed: Failed[] = [];
  for (const input of inputs) {
    const found = given(input);
    const { name, path, rules } = input;
    if (found.value !== undefined && found.value !== null)
      failed.push(...failuresOf(input, found.value, found));
    else if (rules.required !== false)
      missing.push({ input: name, path: path.path, detail: missingDetail(input, found) });
  }
  const ok = missing.length + failed.length === 0;
  return { ok, missing, failed: failed.slice(0, contractLimits.findings) };
}

function missingDetail({ path }: ContractInput, { value }: Given): string {
  if (value === null) return 'there is null';
  const output = outputAt(path);
  if (!output) return 'nothing is there';
  return path.place.kind === 'output' && path.place.rest.length === 0
    ? `"${output.agentId}" has added no output named "${output.output}"`
    : `the output "${output.output}" of "${output.agentId}" holds nothing there, or is not there yet`;
}

function failuresOf(
  { name, path, rules }: ContractInput,
  value: JsonValue,
  { score, promise }: Given,
): readonly Failed[] {
  const of = { input: name, path: path.path };
  const broken = [
    ...checkRules(rules, value),
    ...checkQuality(rules.qualityThreshold, score),
    ...(rules.schema ? againstSchema('schema', rules.schema, value) : []),
    ...(promise ? againstSchema('outputSchema', promise.schema, promise.output) : []),
  ];
  return broken.map(({ rule, detail }) => ({ ...of, rule, detail: shortened(detail) }));
}

function againstSchema(rule: string, schema: ValueSchema, value: JsonValue) {
  return checkValue(schema, value).map(({ pointer, detail }) => ({
    rule,
    detail: pointer === '' ? detail : `${pointer} ${detail}`,
  }));
}

function shortened(detail: string): string {
  const { detail: most } = contractLimits;
  if (detail.length <= most) return detail;
  return `${Array.from(detail.slice(0, most)).slice(0, -2).join('')}…`;
}
