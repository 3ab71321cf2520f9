import { type BinaryOperator } from './syntax.js';
import { type Value, isList, isObject } from './value.js';

/** UTF-16 units that are looked through, or that a text is made of, in one step. */
const charactersPerStep = 64;
/** These look at every member of an object. */
const functionsOfMembers: ReadonlySet<string> = new Set(['len', 'keys']);

/** Beside the step that the part itself takes: what a text takes is more where it is long. */
export function stepsOfText(value: Value): number {
  return typeof value === 'string' ? Math.floor(value.length / charactersPerStep) : 0;
}

/** Texts are compared up to the end of the shorter one, and joined up to the end of both. */
export function stepsOfOperator(operator: BinaryOperator, left: Value, right: Value): number {
  if (operator === '+') return stepsOfText(left) + stepsOfText(right);
  return Math.min(stepsOfText(left), stepsOfText(right));
}

/** Elements that a function looks through, and characters. */
export function stepsOfCall(name: string, given: readonly Value[]): number {
  return given.reduce<number>((steps, value) => steps + stepsThrough(name, value), 0);
}

function stepsThrough(name: string, value: Value): number {
  if (isList(value)) return value.length;
  if (isObject(value) && functionsOfMembers.has(name)) return Object.keys(value).length;
  return stepsOfText(value);
}
