import { ExpressionError } from './expression-error.js';
import { limits } from './limits.js';
import { type Value, isList, isObject } from './value.js';

/** About what a value takes as JSON beside its texts. */
const eachValue = 2;

/** By what is reached, not by what is written: one part of the data may be in a result many times. */
export function checkSize(result: Value, at: number): void {
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
    if (isList(value)) for (const each of value) take(each);
    else if (isObject(value)) for (const [key, each] of Object.entries(value)) take(each, key);
  }
}
