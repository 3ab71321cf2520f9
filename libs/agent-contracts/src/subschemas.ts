/** A schema inside a schema: its keyword, and its name or index there. */
type Inner = Readonly<{ keyword: string; name?: string | number; schema: unknown }>;

/** Keywords whose value is one schema, a list of schemas, or an object of schemas by name. */
export const holdsOne: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'propertyNames',
  'not',
]);
export const holdsList: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
export const holdsNamed: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);

/** The direct inner schemas of a schema, which need not be valid yet. */
export function subschemasOf(schema: unknown): readonly Inner[] {
  if (!isRecord(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => innerOf(keyword, value));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function innerOf(keyword: string, value: unknown): readonly Inner[] {
  const isTuple = keyword === 'items' && Array.isArray(value);
  if ((holdsList.has(keyword) || isTuple) && Array.isArray(value))
    return value.map((schema: unknown, name) => ({ keyword, name, schema }));
  if (holdsOne.has(keyword)) return [{ keyword, schema: value }];
  if (!holdsNamed.has(keyword) || !isRecord(value)) return [];
  return Object.entries(value).map(([name, schema]) => ({ keyword, name, schema }));
}
