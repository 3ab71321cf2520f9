import { type FoundValue, findNames } from './data.js';
import { Path } from './path.js';
import { type Operand } from './template.js';

/** The scope in which the paths of a part are resolved. */
export type Scope = Readonly<{
  found: FoundValue;
  outer: Scope | undefined;
  /** In a loop: its list or object, and the key and index of `found` in it. */
  round?: Readonly<{ of: FoundValue; key: string | number; index: number }>;
}>;

const nothing: FoundValue = { value: undefined, isOwn: true, path: Path.outermost };

/** One step for each name, and for each scope that an operand leaves. */
export function stepsTo({ up, names }: Operand): number {
  return up + names.length;
}

export function find(from: Scope, { up, of, names }: Operand): FoundValue {
  let scope: Scope = from;
  for (let left = up; left > 0 && scope.outer; left--) scope = scope.outer;
  if (of === 'this') return findNames(scope.found, names);
  if (!scope.round) return nothing;
  const { key, index } = scope.round;
  const { isOwn, path } = scope.round.of;
  const isNumber = of === 'index' || typeof key === 'number';
  const value = of === 'key' ? String(key) : index;
  return { value, isOwn: isOwn || isNumber, path: path.with([`@${of}`]) };
}

/** A scope for each entry of a list or object. */
export function* roundsOf(
  of: FoundValue,
  keys: Iterable<string | number>,
  outer: Scope,
): Generator<Scope> {
  let index = 0;
  for (const key of keys) {
    yield { found: findNames(of, [key]), outer, round: { of, key, index } };
    index += 1;
  }
}
