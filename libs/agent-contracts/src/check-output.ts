import { type JsonValue } from '#event-sourcing';
import { StepsExceededError } from '#transformations';

import { checkBudget } from './check-inputs.js';
import { checkValue } from './check-value.js';
import { type Contract } from './contract.js';
import { contractLimits } from './limits.js';
import { shortDetail } from './value-part.js';

/**
 * Checks an output against the schema that its agent promises in its contract. Returns the faults with their places;
 * none if there is no such schema. An output without a `name` is checked as the only output of the contract.
 */
export function* checkOutput(
  { outputs }: Pick<Contract, 'outputs'>,
  name: string | undefined,
  output: JsonValue,
): Generator<void, readonly string[]> {
  const [only, ...others] = [...outputs.values()];
  const rules = name === undefined && others.length === 0 ? only : outputs.get(name ?? '');
  if (!rules?.schema) return [];
  const { spend } = checkBudget();
  try {
    const faults = yield* checkValue(rules.schema, output, spend);
    return faults.map(({ pointer, detail }) => shortDetail(`${pointer} ${detail}`.trim()));
  } catch (error) {
    if (!(error instanceof StepsExceededError)) throw error;
    return [`it was not checked: that takes more than ${contractLimits.steps} steps`];
  }
}
