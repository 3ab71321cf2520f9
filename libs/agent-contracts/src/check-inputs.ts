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
  /** The schema that the output's agent has promised, and the full output. */
  promise?: Readonly<{ schema: ValueSchema; output: JsonValue }> | undefined;
}>;

/** A required input that is missing. */
type MissingInput = Readonly<{ input: string; path: string; detail: string }>;

/** An input that violates a rule. `rule`: the name of the rule in the contract. */
type InputFailure = Readonly<{ input: string; path: string; rule: string; detail: string }>;

export type Findings = Readonly<{
  ok: boolean;
  missing: readonly MissingInput[];
  failed: readonly InputFailure[];
}>;

/** A budget for all checks of a contract at one time. */
export function checkBudget(): StepBudget {
  return new StepBudget(contractLimits.steps);
}

/**
 * Checks values against the inputs of a contract, in steps of a few microseconds, except for large texts. Pure and
 * total: an input whose check exceeds the budget fails with the rule `steps`. `given` returns the value of an input,
 * and may throw StepsExceededError.
 */
export function* checkInputs(
  { inputs }: Pick<Contract, 'inputs'>,
  given: (input: ContractInput) => InputValue,
  budget: StepBudget = checkBudget(),
): Generator<void, Findings> {
  const missing: MissingInput[] = [];
  const failed: InputFailure[] = [];
  for (const input of inputs) {
    yield;
    const found = yield* checkInput(input, given, budget);
    if (found.missing) missing.push(found.missing);
    for (const one of found.failed) failed.push(one);
  }
  const ok = missing.length + failed.length === 0;
  return { ok, missing, failed: failed.slice(0, contractLimits.findings) };
}

type InputFindings = Readonly<{ missing?: MissingInput; failed: readonly InputFailure[] }>;

function* checkInput(
  input: ContractInput,
  given: (input: ContractInput) => InputValue,
  budget: StepBudget,
): Generator<void, InputFindings> {
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
): Generator<void, readonly InputFailure[]> {
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
