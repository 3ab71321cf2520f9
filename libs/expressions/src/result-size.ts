import { isJsonObject } from '#event-sourcing';
import { ExpressionError } from './expression-error.js';
import { limits } from './limits.js';
import { type Value, isList } from './value.js';

/** About what a value takes as JSON beside its texts. */
const eachValue = 2;

/**
 * By what is reached, not by what is written: one part of the data may be in a result many times. `spend` is told how many
 * values are looked at.
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
