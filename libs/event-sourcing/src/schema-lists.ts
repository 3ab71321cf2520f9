import { z } from 'zod';

/** A value, its schema and its path. */
export type ValueLocation = Readonly<{
  schema: z.core.$ZodType;
  value: unknown;
  path: readonly PropertyKey[];
}>;

/** The index or key in a list or record, and the value. */
export type SchemaEntry = readonly [string | number, unknown];

/** A list or record, whose entries have one common schema. */
type SchemaList = Readonly<{
  element: z.core.$ZodType;
  /** The schema of the keys of a record. */
  key: z.core.$ZodType | undefined;
  size: number;
  entries: () => Iterable<SchemaEntry>;
  /** The keys of a record, each with the place of its entry. */
  keys: () => Iterable<SchemaEntry>;
  path: readonly PropertyKey[];
}>;

type Visit = (list: SchemaList) => void;

/**
 * Calls `visit` for every list and record in the value according to the schema, except nested ones. Values of
 * undiscriminated unions are skipped, and so are lists that exceed their maximum length.
 */
export function eachList(place: ValueLocation, visit: Visit): void {
  const { schema, value } = place;
  if (typeof value !== 'object' || value === null || !leadsToList(schema)) return;
  if (schema instanceof z.core.$ZodArray) return visitArray(schema, place, visit);
  if (schema instanceof z.core.$ZodRecord) return visitRecord(schema, place, visit);
  for (const inner of partsOf(schema, value))
    eachList({ ...inner, path: [...place.path, ...inner.path] }, visit);
}

const known = new WeakMap<z.core.$ZodType, boolean>();

/** Whether a value of this schema can contain lists. Cached, as it is computed for every scalar. */
export function leadsToList(schema: z.core.$ZodType): boolean {
  const answer = known.get(schema);
  if (answer !== undefined) return answer;
  // Ends the recursion for a schema that contains itself.
  known.set(schema, true);
  const isList = schema instanceof z.core.$ZodArray || schema instanceof z.core.$ZodRecord;
  const leads = isList || schemasIn(schema).some(leadsToList);
  known.set(schema, leads);
  return leads;
}

function visitArray(
  { _zod }: z.core.$ZodArray,
  { value, path }: ValueLocation,
  visit: Visit,
): void {
  const maximum = longestOf(_zod.def.checks ?? []);
  if (!Array.isArray(value) || value.length > maximum) return;
  const { element } = _zod.def;
  const { length: size } = value;
  visit({ element, key: undefined, size, entries: () => value.entries(), keys: () => [], path });
}

/** The maximum length of a list; zod does not parse the entries of a longer one. */
function longestOf(checks: readonly z.core.$ZodCheck[]): number {
  const limits = checks.map((check) =>
    check instanceof z.core.$ZodCheckMaxLength ? check._zod.def.maximum : Infinity,
  );
  return Math.min(Infinity, ...limits);
}

function visitRecord(
  { _zod }: z.core.$ZodRecord,
  { value, path }: ValueLocation,
  visit: Visit,
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const { keyType: key, valueType: element } = _zod.def;
  const names = Object.keys(value);
  const keys = () => names.map((name): SchemaEntry => [name, name]);
  visit({ element, key, size: names.length, entries: () => Object.entries(value), keys, path });
}

function partsOf(schema: z.core.$ZodType, value: object): readonly ValueLocation[] {
  if (schema instanceof z.core.$ZodObject) {
    return Object.entries(schema._zod.def.shape).flatMap(
      ([name, inner]): readonly ValueLocation[] =>
        Object.hasOwn(value, name)
          ? [{ schema: inner, value: Reflect.get(value, name), path: [name] }]
          : [],
    );
  }
  return innerOf(schema, value).map((each) => ({ schema: each, value, path: [] }));
}

function innerOf(schema: z.core.$ZodType, value: object): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodDiscriminatedUnion) return optionsFor(schema, value);
  // The second schema applies only if the first one accepts the value, so an oversized record is not visited.
  if (schema instanceof z.core.$ZodPipe && !leadsToList(schema._zod.def.in))
    return z.validate(schema._zod.def.in, value) ? [schema._zod.def.out] : [];
  return schemasIn(schema);
}

/** The options that the value's discriminator selects. */
export function optionsFor(
  { _zod }: z.core.$ZodDiscriminatedUnion,
  value: unknown,
): readonly z.core.$ZodType[] {
  const { discriminator, options } = _zod.def;
  const members = value ?? {};
  const kind: unknown = Object.hasOwn(members, discriminator)
    ? Reflect.get(members, discriminator)
    : undefined;
  return options.filter((option) => {
    const kinds: ReadonlySet<unknown> | undefined = option._zod.propValues?.[discriminator];
    return kinds?.has(kind);
  });
}

/** The inner schemas: members of an object, options of a discriminated union, schemas inside a wrapper. */
export function schemasIn(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodObject) return Object.values(schema._zod.def.shape);
  if (schema instanceof z.core.$ZodDiscriminatedUnion) return schema._zod.def.options;
  if (schema instanceof z.core.$ZodPipe) return [schema._zod.def.in, schema._zod.def.out];
  if (schema instanceof z.core.$ZodLazy) return [schema._zod.innerType];
  const { def } = schema._zod;
  return 'innerType' in def && def.innerType instanceof z.core.$ZodType ? [def.innerType] : [];
}
