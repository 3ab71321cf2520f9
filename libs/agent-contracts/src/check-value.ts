import { type JsonValue } from '#event-sourcing';
import { type Spend } from '#expressions';

import { contractLimits } from './limits.js';
import { ValueCheck } from './value-check.js';
import { type Fault } from './value-part.js';
import { type ValueSchema } from './value-schema.js';

/**
 * Checks a value and returns its first faults, outer ones first. A step checks one part of the value, or compares it
 * with one other value. The schema must be valid according to {@link valueSchema}.
 */
export function* checkValue(
  schema: ValueSchema,
  value: JsonValue,
  spend: Spend,
): Generator<undefined, readonly Fault[]> {
  const root = { schema, value, within: undefined, name: '' };
  return yield* new ValueCheck(schema, spend).faults(root, contractLimits.faults);
}
