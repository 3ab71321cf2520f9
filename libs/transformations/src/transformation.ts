import { type JsonObject, type JsonValue } from '#event-sourcing';
import { ExpressionError, checkResultSize } from '#expressions';

import { transformationLimits } from './limits.js';
import { OperationError } from './operation.error.js';
import { type CompiledOperation, operate } from './operations.js';
import { type PlacedPath } from './placed-path.js';
import { StepBudget } from './step-budget.js';
import { type TransformationDefinition } from './transformation.schema.js';

/** A compiled definition without faults. */
export type Transformation = Readonly<{
  transformationId: string;
  version: number;
  trigger: TransformationDefinition['trigger'];
  sources: readonly (PlacedPath & Readonly<{ name: string }>)[];
  destinations: readonly PlacedPath[];
  operation: CompiledOperation;
}>;

/** `problem`: the reason why there is no value. */
export type TransformationResult =
  | Readonly<{ value: JsonValue; problem?: undefined }>
  | Readonly<{ value: null; problem: string }>;

const { valueLength } = transformationLimits;
/** UTF-16 code units of a value that count as one step for comparing it with the previous value and writing it. */
const charactersPerStep = 16;

/**
 * Computes the value for the destinations. `sources`: the values of the sources, by name. Throws only
 * StepsExceededError, if `budget` is exceeded.
 */
export function runTransformation(
  { operation, destinations }: Transformation,
  sources: JsonObject,
  budget = new StepBudget(),
): TransformationResult {
  try {
    budget.spend(1);
    const value = operate(operation, sources, budget);
    // Repeated parts are counted each time, before the value is serialized.
    checkResultSize(value, 0, budget.spend);
    const { length } = JSON.stringify(value);
    if (length > valueLength)
      return withoutValue(`the value is larger than ${valueLength} characters`);
    budget.reserve(Math.ceil(length / charactersPerStep) * destinations.length);
    return { value };
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof OperationError)
      return withoutValue(error.message);
    throw error;
  }
}

function withoutValue(problem: string): TransformationResult {
  return { value: null, problem };
}
