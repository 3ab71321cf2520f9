const any = Number.POSITIVE_INFINITY;

/** All functions, with the minimum and maximum number of arguments. */
export const functionNames: ReadonlyMap<string, readonly [minimum: number, maximum: number]> =
  new Map([
    ['len', [1, 1]],
    ['keys', [1, 1]],
    ['contains', [2, 2]],
    ['startsWith', [2, 2]],
    ['endsWith', [2, 2]],
    ['lower', [1, 1]],
    ['upper', [1, 1]],
    ['any', [2, 2]],
    ['all', [2, 2]],
    ['filter', [2, 2]],
    ['map', [2, 2]],
    ['sum', [1, 1]],
    ['min', [1, any]],
    ['max', [1, any]],
    ['round', [1, 2]],
    ['floor', [1, 1]],
    ['ceil', [1, 1]],
    ['abs', [1, 1]],
    ['join', [2, 2]],
    ['coalesce', [1, any]],
    ['default', [2, 2]],
  ]);

/**
 * Functions that evaluate the second argument for each element of the first; the element is `item` or has a chosen
 * name.
 */
export const listFunctions: ReadonlySet<string> = new Set(['any', 'all', 'filter', 'map']);
