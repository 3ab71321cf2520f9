import { isJsonObject } from '#event-sourcing';
import { ExpressionError } from './expression-error.js';
import { limits } from './limits.js';
import { type Value, isList } from './value.js';

/** The approximate size of a value as JSON, without its texts. */
const eachValue = 2;

/**
 * Checks the size of a result without serializing it, as one part of the data may occur in it many times. `spend` is
 * called with the number of visited values.
 */
export function checkSize(result: Value, at: number, spend?: (steps: number) => void): void {
  let left: number = limits.resultLength;
  const open: Value[] = [];
  const take = (value: Value, key = ''): void => {
    left -= eachValue + key.length + (typeof value === 'string' ? value.length : 0);
    if (left < 0)
      throw new ExpressionError(`the result is larger than ${limits.resultLength} characters`, at);
    open.push(value);
  };
  take(result);
  while (open.length > 0) {
    const value = open.pop();
    if (isList(value)) {
      spend?.(Math.min(value.length, left));
      for (const each of value) take(each);
    } else if (isJsonObject(value)) {
      const names = Object.keys(value);
      spend?.(names.length);
      for (const name of names) take(value[name], name);
    }
  }
}
