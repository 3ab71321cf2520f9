type Value = Readonly<Record<string, unknown>>;
type Comparison = (stated: unknown, wanted: unknown) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  $eq: isEqual,
  $ne: (stated, wanted) => !isEqual(stated, wanted),
  $gt: (stated, wanted) => Number(stated) > Number(wanted),
  $gte: (stated, wanted) => Number(stated) >= Number(wanted),
  $lt: (stated, wanted) => Number(stated) < Number(wanted),
  $lte: (stated, wanted) => Number(stated) <= Number(wanted),
  $in: (stated, wanted) => Array.isArray(wanted) && wanted.some((one) => isEqual(stated, one)),
  $nin: (stated, wanted) => !Array.isArray(wanted) || !wanted.some((one) => isEqual(stated, one)),
};

/** Whether each member that the filter names is as it says: equal to it, or within its operators such as `$gt`. */
export function matchesFilter(value: Value, filter: Value): boolean {
  return Object.entries(filter).every(([name, wanted]) => matches(value[name], wanted));
}

function matches(stated: unknown, wanted: unknown): boolean {
  const operators = operatorsOf(wanted);
  if (!operators) return isEqual(stated, wanted);
  return operators.every(([operator, operand]) => {
    const compare = comparisons[operator];
    if (!compare) throw new Error(`${operator} is no operator of a filter.`);
    return compare(stated, operand);
  });
}

function operatorsOf(wanted: unknown): [string, unknown][] | undefined {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return undefined;
  const members = Object.entries(wanted);
  return members.length > 0 && members.every(([name]) => name.startsWith('$'))
    ? members
    : undefined;
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
