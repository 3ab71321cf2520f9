import { type JsonValue, isJsonObject } from '#event-sourcing';

import { roundTo } from './rounding.js';
import { OperandError, finite, isSame, limited } from './operators.js';
import { holds } from './text-search.js';
import { type Value, describe, isList } from './value.js';

/** The significant decimal digits of a double. */
const maxDigits = 15;

/** Functions of values. The evaluator implements the list functions, which evaluate an expression for each element. */
export const functions: Readonly<Record<string, (...given: Value[]) => Value>> = {
  len: (value) => lengthOf(value),
  keys: (value) => (isJsonObject(value) ? Object.keys(value) : refuse('keys', 'an object', value)),
  contains: (value, part) => contains(value, part),
  startsWith: (value, part) => text('startsWith', value).startsWith(text('startsWith', part)),
  endsWith: (value, part) => text('endsWith', value).endsWith(text('endsWith', part)),
  lower: (value) => limited(limited(text('lower', value)).toLowerCase()),
  upper: (value) => limited(limited(text('upper', value)).toUpperCase()),
  sum: (value) => finite(numbers('sum', list('sum', value)).reduce((sum, each) => sum + each, 0)),
  min: (...given) => extreme('min', given, Math.min),
  max: (...given) => extreme('max', given, Math.max),
  round: (...given) => rounded(given),
  floor: (value) => finite(Math.floor(number('floor', value))),
  ceil: (value) => finite(Math.ceil(number('ceil', value))),
  abs: (value) => finite(Math.abs(number('abs', value))),
  join: (value, between) => join(list('join', value), text('join', between)),
  coalesce: (...given) => given.find((value) => value !== undefined && value !== null),
  default: (value, otherwise) => value ?? otherwise,
};

export function list(name: string, value: Value): readonly JsonValue[] {
  return isList(value) ? value : refuse(name, 'a list', value);
}

function text(name: string, value: Value): string {
  return typeof value === 'string' ? value : refuse(name, 'a text', value);
}

function number(name: string, value: Value): number {
  return typeof value === 'number' ? value : refuse(name, 'a number', value);
}

function rounded([value, ...[digits = 0]]: readonly Value[]): number {
  const whole = number('round', value);
  if (typeof digits !== 'number' || !isCountOfDigits(digits))
    // prose-ignore: stored in events
    throw new OperandError(`round keeps 0 to ${maxDigits} digits behind the point`);
  return finite(roundTo(whole, digits));
}

function isCountOfDigits(digits: number): boolean {
  return Number.isInteger(digits) && digits >= 0 && digits <= maxDigits;
}

function numbers(name: string, values: readonly Value[]): number[] {
  return values.map((value) =>
    typeof value === 'number' ? value : refuse(name, 'numbers', value),
  );
}

function lengthOf(value: Value): number {
  if (typeof value === 'string' || isList(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  return refuse('len', 'a text, a list or an object', value);
}

function contains(value: Value, part: Value): boolean {
  if (isList(value)) return value.some((each) => isSame(each, part));
  if (typeof value === 'string') return holds(value, text('contains', part));
  return refuse('contains', 'a list or a text', value);
}

function extreme(
  name: string,
  given: readonly Value[],
  choose: (...values: number[]) => number,
): Value {
  const [first] = given;
  const values = numbers(name, given.length === 1 && isList(first) ? first : given);
  // Undefined without numbers, like a path that leads nowhere.
  return values.length === 0 ? undefined : values.reduce((a, b) => choose(a, b));
}

function join(values: readonly JsonValue[], between: string): string {
  let joined = '';
  for (const [n, value] of values.entries()) {
    if (typeof value !== 'string' && typeof value !== 'number')
      return refuse('join', 'texts and numbers', value);
    joined = limited(`${joined}${n > 0 ? between : ''}${value}`);
  }
  return joined;
}

function refuse(name: string, expected: string, value: Value): never {
  throw new OperandError(`${name} is for ${expected}, not for ${describe(value)}`);
}
