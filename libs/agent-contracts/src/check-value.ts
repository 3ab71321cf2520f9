import { type JsonValue } from '#event-sourcing';
import { type Spend } from '#expressions';

import { contractLimits } from './limits.js';
import { ValueCheck } from './value-check.js';
import { type Fault } from './value-part.js';
import { type ValueSchema } from './value-schema.js';

/**
 * What is wrong with a value; the first few things, outer ones first. In steps of a part of the value, or of a value that
 * a part is compared with. The schema is one that {@link valueSchema} has let through.
 */
export function* checkValue(
  schema: ValueSchema,
  value: JsonValue,
  spend: Spend,
): Generator<undefined, readonly Fault[]> {
  const whole = { schema, value, within: undefined, name: '' };
  return yield* new ValueCheck(schema, spend).faults(whole, contractLimits.faults);
}
