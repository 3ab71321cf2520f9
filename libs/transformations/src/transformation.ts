import { type JsonObject, type JsonValue } from '#event-sourcing';
import { ExpressionError, checkResultSize } from '#expressions';

import { transformationLimits } from './limits.js';
import { OperationError } from './operation.error.js';
import { type Ready, operate } from './operations.js';
import { type PlacedPath } from './placed-path.js';
import { StepBudget } from './step-budget.js';
import { type TransformationDefinition } from './transformation.schema.js';

/** A definition that has been read and can work. */
export type Transformation = Readonly<{
  transformationId: string;
  version: number;
  trigger: TransformationDefinition['trigger'];
  sources: readonly (PlacedPath & Readonly<{ name: string }>)[];
  destinations: readonly PlacedPath[];
  ready: Ready;
}>;

/** `problem`: why there is none, for whoever asks where the value is. */
export type Derived =
  | Readonly<{ value: JsonValue; problem?: undefined }>
  | Readonly<{ value: null; problem: string }>;

const { valueLength } = transformationLimits;
/** UTF-16 units of a value that are compared with what was derived before, and written, in one step. */
const charactersPerStep = 16;

/**
 * The value of each source by the source's name in, the value to be found at the destinations out. Throws
 * StepsExceededError where `budget` does not suffice, and nothing else.
 */
export function runTransformation(
  { ready, destinations }: Transformation,
  sources: JsonObject,
  budget = new StepBudget(),
): Derived {
  try {
    budget.spend(1);
    const value = operate(ready, sources, budget);
    // Parts that are in it many times are counted each time, before they are written out.
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

function withoutValue(problem: string): Derived {
  return { value: null, problem };
}
