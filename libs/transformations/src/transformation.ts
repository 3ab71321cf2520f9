import { type JsonObject, type JsonValue } from '#event-sourcing';
import { ExpressionError, checkResultSize } from '#expressions';

import { transformationLimits } from './limits.js';
import { OperationError } from './operation.error.js';
import { type Ready, operate } from './operations.js';
import { type PlacedPath } from './placed-path.js';
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
  Readonly<{ value: JsonValue; problem?: undefined }> | Readonly<{ value: null; problem: string }>;

/** The value of each source by the source's name in, the value to be found at the destinations out. Pure and total. */
export function runTransformation({ ready }: Transformation, sources: JsonObject): Derived {
  try {
    const value = operate(ready, sources);
    // Parts that are in it many times are counted each time, before they are written out.
    checkResultSize(value, 0);
    const { valueLength } = transformationLimits;
    if (JSON.stringify(value).length <= valueLength) return { value };
    return withoutValue(`the value is larger than ${valueLength} characters`);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof OperationError)
      return withoutValue(error.message);
    throw error;
  }
}

function withoutValue(problem: string): Derived {
  return { value: null, problem };
}
