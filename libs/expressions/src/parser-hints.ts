import { functionNames, listFunctions } from './function-names.js';

/** Names that nothing else can have. */
export const reservedWords: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'undefined',
  'in',
  'item',
]);

/** Methods of JavaScript, by the function to use instead. */
const functionOf: Readonly<Record<string, string>> = {
  includes: 'contains',
  toLowerCase: 'lower',
  toUpperCase: 'upper',
  toFixed: 'round',
  some: 'any',
  every: 'all',
};

/** What to write instead of calling a method. */
export function methodHint(method: string): string {
  const name = Object.hasOwn(functionOf, method) ? functionOf[method] : method;
  return name !== undefined && functionNames.has(name)
    ? `there are no methods: write ${name}(...)`
    : `there are no methods; there are the functions ${[...functionNames.keys()].join(', ')}`;
}

/** Why an expression cannot go on with a sign; undefined if there is nothing special about it. */
export function signHint(sign: string): string | undefined {
  if (sign === '=') return '"=" does not compare: write ===';
  if (sign === '=>') return 'name => expression is the second argument of any, all, filter or map';
  return undefined;
}

/** What a function takes. */
export function describeArity(name: string, least: number, most: number): string {
  if (listFunctions.has(name))
    return 'a list and an expression in which each element is item, or name => expression';
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  if (most > least) return `${least} or ${most} arguments`;
  return `${least} argument${least === 1 ? '' : 's'}`;
}
