import { type JsonValue } from '#event-sourcing';
import { type Spend } from '#expressions';
import { StepBudget, StepsExceededError } from '#transformations';

import { checkValue } from './check-value.js';
import { type Contract, type ContractInput, outputAt } from './contract.js';
import { checkRules } from './input-rules.js';
import { type Score, checkQuality } from './quality.js';
import { contractLimits } from './limits.js';
import { type Fault, shortDetail } from './value-part.js';
import { type ValueSchema } from './value-schema.js';

/** The value at the path of an input, with score and promise of the output that contains it. */
export type InputValue = Readonly<{
  value: JsonValue | undefined;
  /** The newest `overall_score` of the output; undefined if it has no score. */
  score?: Score | undefined;
  /** What the output's agent has promised of it, and the whole of it. */
  promise?: Readonly<{ schema: ValueSchema; output: JsonValue }> | undefined;
}>;

/** A required input that is not there. */
type Missing = Readonly<{ input: string; path: string; detail: string }>;

/** An input that is there and does not do. `rule`: what it breaks, by its name in the contract. */
type Failed = Readonly<{ input: string; path: string; rule: string; detail: string }>;

export type Findings = Readonly<{
  ok: boolean;
  missing: readonly Missing[];
  failed: readonly Failed[];
}>;

/** A budget for all checks of a contract at one time. */
export function checkBudget(): StepBudget {
  return new StepBudget(contractLimits.steps);
}

/**
 * Holds what is there against what a contract asks for; every finding says what is wrong. In steps of a few microseconds,
 * but for large texts. Pure and total: inputs that would take more than is left of the budget fail, and say so; `given`
 * may throw StepsExceededError, too.
 */
export function* checkInputs(
  { inputs }: Pick<Contract, 'inputs'>,
  given: (input: ContractInput) => InputValue,
  budget: StepBudget = checkBudget(),
): Generator<void, Findings> {
  const missing: Missing[] = [];
  const failed: Failed[] = [];
  for (const input of inputs) {
    yield;
    const found = yield* checkInput(input, given, budget);
    if (found.missing) missing.push(found.missing);
    for (const one of found.failed) failed.push(one);
  }
  const ok = missing.length + failed.length === 0;
  return { ok, missing, failed: failed.slice(0, contractLimits.findings) };
}

type Checked = Readonly<{ missing?: Missing; failed: readonly Failed[] }>;

function* checkInput(
  input: ContractInput,
  given: (input: ContractInput) => InputValue,
  budget: StepBudget,
): Generator<void, Checked> {
  const { name, path, rules } = input;
  const of = { input: name, path: path.path };
  try {
    const found = given(input);
    if (found.value !== undefined && found.value !== null)
      return { failed: yield* failuresOf(input, found.value, { ...found, spend: budget.spend }) };
    if (rules.required === false) return { failed: [] };
    return { missing: { ...of, detail: missingDetail(input, found) }, failed: [] };
  } catch (error) {
    if (!(error instanceof StepsExceededError)) throw error;
    return { failed: [{ ...of, rule: 'steps', detail: tooManySteps }] };
  }
}

const tooManySteps = `not checked: all inputs together take more than ${contractLimits.steps} steps`;

function missingDetail({ path }: ContractInput, { value }: InputValue): string {
  if (value === null) return 'there is null';
  const output = outputAt(path);
  if (!output) return 'nothing is there';
  return path.place.kind === 'output' && path.place.rest.length === 0
    ? `"${output.agentId}" has added no output named "${output.output}"`
    : `the output "${output.output}" of "${output.agentId}" holds nothing there, or is not there yet`;
}

function* failuresOf(
  { name, path, rules }: ContractInput,
  value: JsonValue,
  { score, promise, spend }: InputValue & Readonly<{ spend: Spend }>,
): Generator<void, readonly Failed[]> {
  const of = { input: name, path: path.path };
  const broken = [
    ...(yield* checkRules(rules, value, spend)),
    ...checkQuality(rules.qualityThreshold, score),
    ...(rules.schema ? faultsOf('schema', yield* checkValue(rules.schema, value, spend)) : []),
    ...(promise
      ? faultsOf('outputSchema', yield* checkValue(promise.schema, promise.output, spend))
      : []),
  ];
  return broken.map(({ rule, detail }) => ({ ...of, rule, detail: shortDetail(detail) }));
}

function faultsOf(rule: string, faults: readonly Fault[]) {
  return faults.map(({ pointer, detail }) => ({
    rule,
    detail: pointer === '' ? detail : `${pointer} ${detail}`,
  }));
}
