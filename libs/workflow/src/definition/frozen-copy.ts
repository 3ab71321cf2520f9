/** A deeply frozen copy of plain data. */
export function frozenCopy<Value>(value: Value): Value {
  // A copy has the type of its original.
  return copyOf(value) as Value;
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(copyOf));
  const copy: Record<string, unknown> = { __proto__: null };
  for (const [key, member] of Object.entries(value)) copy[key] = copyOf(member);
  return Object.freeze(copy);
}
