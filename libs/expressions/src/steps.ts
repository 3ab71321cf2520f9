import { isJsonObject } from '#event-sourcing';
import { limits } from './limits.js';
import { type BinaryOperator } from './syntax.js';
import { type Value, isList } from './value.js';

/** UTF-16 code units that are searched or created in one step. */
const charactersPerStep = 64;

/** The steps of functions in addition to the elements of their list arguments. */
const stepsOfFunction: Readonly<Record<string, (...given: readonly Value[]) => number>> = {
  len: stepsOfMembers,
  keys: stepsOfMembers,
  contains: stepsOfBoth,
  startsWith: stepsOfShorter,
  endsWith: stepsOfShorter,
  lower: (text) => stepsOfBoth(text, text),
  upper: (text) => stepsOfBoth(text, text),
  join: stepsOfJoined,
};

/** The steps of an operator, in addition to the step of its node. */
export function stepsOfOperator(operator: BinaryOperator, left: Value, right: Value): number {
  return operator === '+' ? stepsOfBoth(left, right) : stepsOfShorter(left, right);
}

/** The steps of a call, in addition to the step of its node. */
export function stepsOfCall(name: string, given: readonly Value[]): number {
  const elements = given.reduce<number>(
    (sum, value) => sum + (isList(value) ? value.length : 0),
    0,
  );
  return elements + (stepsOfFunction[name]?.(...given) ?? 0);
}

function stepsOfMembers(value: Value): number {
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

function stepsOfBoth(left: Value, right: Value): number {
  return stepsOfText(left) + stepsOfText(right);
}

/** Comparing texts ends with the shorter one. */
function stepsOfShorter(left: Value, right: Value): number {
  return Math.min(stepsOfText(left), stepsOfText(right));
}

function stepsOfText(value: Value): number {
  return stepsOf(lengthOf(value));
}

/** Joining stops when the text becomes too long. */
function stepsOfJoined(list: Value, between: Value): number {
  if (!isList(list)) return 0;
  const length = list.reduce<number>((sum, each) => sum + lengthOf(each) + lengthOf(between), 0);
  return stepsOf(Math.min(length, limits.textLength));
}

function lengthOf(value: Value): number {
  return typeof value === 'string' ? value.length : 0;
}

function stepsOf(characters: number): number {
  return Math.floor(characters / charactersPerStep);
}
