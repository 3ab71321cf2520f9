import { isJsonObject } from '#event-sourcing';
import { limits } from './limits.js';
import { type BinaryOperator } from './syntax.js';
import { type Value, describe } from './value.js';

/** An operator or function is not applicable to these values; the evaluator adds the position. */
export class OperandError extends Error {
  override readonly name = 'OperandError';
}

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

const orders: Readonly<Record<string, (left: never, right: never) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

const equalities: Readonly<Record<string, (left: Value, right: Value) => boolean>> = {
  '===': isSame,
  '!==': (left, right) => !isSame(left, right),
  '==': (left, right) => isSame(left ?? null, right ?? null),
  '!=': (left, right) => !isSame(left ?? null, right ?? null),
};

/**
 * Applies an operator as JavaScript does if the operands have suitable types; otherwise throws {@link OperandError}.
 */
export function operate(operator: BinaryOperator, left: Value, right: Value): Value {
  const equality = equalities[operator];
  if (equality) return equality(left, right);
  if (operator === 'in') return isIn(left, right);
  if (operator === '+') return add(left, right);
  const order = orders[operator];
  return order ? compare(operator, left, right) : calculate(operator, left, right);
}

export function negate(value: Value): number {
  if (typeof value !== 'number')
    throw new OperandError(`- is for a number, not ${describe(value)}`);
  return finite(-value);
}

/** Returns the text, or throws if it exceeds the maximum length. */
export function limited(text: string): string {
  if (text.length > limits.textLength)
    throw new OperandError(`a text becomes longer than ${limits.textLength} characters`);
  return text;
}

/** Returns a number that JSON can represent; converts -0 to 0. */
export function finite(value: number): number {
  if (!Number.isFinite(value))
    // prose-ignore: stored in events
    throw new OperandError('the result is no number: a division by zero, or too large');
  return value === 0 ? 0 : value;
}

/** Compares by value. Lists and objects cannot be compared with each other. */
export function isSame(left: Value, right: Value): boolean {
  if (isCompound(left) && isCompound(right))
    throw new OperandError(`${describe(left)} cannot be compared with ${describe(right)}`);
  return left === right;
}

function isCompound(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

function isIn(key: Value, container: Value): boolean {
  if (typeof key !== 'string' || !isJsonObject(container))
    throw new OperandError(
      `"in" asks whether an object has a key, not whether ${describe(container)} has ${describe(key)}: use contains`,
    );
  return Object.hasOwn(container, key);
}

function add(left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right);
  if (isPrintable(left) && isPrintable(right)) return limited(`${left}${right}`);
  throw new OperandError(
    `+ is for two numbers, or for texts and numbers, not for ${describe(left)} and ${describe(right)}`,
  );
}

function isPrintable(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function compare(operator: BinaryOperator, left: Value, right: Value): boolean {
  const areAlike =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  if (!areAlike)
    throw new OperandError(
      `${operator} compares two numbers or two texts, not ${describe(left)} with ${describe(right)}`,
    );
  // Both operands have the same type, which the signature of the table cannot express.
  return orders[operator]?.(left as never, right as never) ?? false;
}

function calculate(operator: BinaryOperator, left: Value, right: Value): number {
  const work = arithmetic[operator];
  if (!work || typeof left !== 'number' || typeof right !== 'number')
    throw new OperandError(
      `${operator} is for two numbers, not for ${describe(left)} and ${describe(right)}`,
    );
  return finite(work(left, right));
}
