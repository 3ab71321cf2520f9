import { functionNames, listFunctions } from './function-names.js';

/** Reserved names. */
export const reservedWords: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'undefined',
  'in',
  'item',
]);

/** Functions to use instead of JavaScript methods. */
const functionOf: Readonly<Record<string, string>> = {
  includes: 'contains',
  toLowerCase: 'lower',
  toUpperCase: 'upper',
  toFixed: 'round',
  some: 'any',
  every: 'all',
};

/** States what to write instead of a method call. */
export function methodHint(method: string): string {
  const name = Object.hasOwn(functionOf, method) ? functionOf[method] : method;
  return name !== undefined && functionNames.has(name)
    ? `there are no methods: write ${name}(...)`
    : `there are no methods; there are the functions ${[...functionNames.keys()].join(', ')}`;
}

/** A hint for a sign that cannot follow an expression; undefined if there is none. */
export function signHint(sign: string): string | undefined {
  if (sign === '=') return '"=" does not compare: write ===';
  if (sign === '=>') return 'name => expression is the second argument of any, all, filter or map';
  return undefined;
}

/** Describes the arguments of a function. */
export function describeArity(name: string, minimum: number, maximum: number): string {
  if (listFunctions.has(name))
    return 'a list and an expression in which each element is item, or name => expression';
  if (maximum === Number.POSITIVE_INFINITY) return `at least ${minimum}`;
  if (maximum > minimum) return `${minimum} or ${maximum} arguments`;
  return `${minimum} argument${minimum === 1 ? '' : 's'}`;
}
