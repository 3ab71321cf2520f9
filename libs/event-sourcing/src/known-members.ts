import { z } from 'zod';

import { optionsFor } from './schema-lists.js';

type Schema = z.core.$ZodType;

/**
 * The names of the members that a schema defines at a place of a value, without the ones that the value already has.
 * For a union, these are the members of the option that the discriminator selects, or of all options if it selects
 * none.
 */
export function knownMembers(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[],
): readonly string[] {
  let places: readonly TypedValue[] = [{ schema, value }];
  for (const step of path) places = places.flatMap((place) => placesAt(place, step));
  const known = new Set(places.flatMap(membersOf));
  return [...known].filter(
    (name) => !places.some((place) => Object.hasOwn(place.value ?? {}, name)),
  );
}

type TypedValue = Readonly<{ schema: Schema; value: unknown }>;

function placesAt({ schema, value }: TypedValue, step: PropertyKey): readonly TypedValue[] {
  const inner: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  if (schema instanceof z.core.$ZodObject) {
    const { shape } = schema._zod.def;
    return typeof step === 'string' && Object.hasOwn(shape, step)
      ? [{ schema: shape[step] as Schema, value: inner }]
      : [];
  }
  if (schema instanceof z.core.$ZodArray)
    return [{ schema: schema._zod.def.element, value: inner }];
  if (schema instanceof z.core.$ZodRecord)
    return [{ schema: schema._zod.def.valueType, value: inner }];
  return kindsOf({ schema, value }).flatMap((kind) => placesAt({ schema: kind, value }, step));
}

function membersOf({ schema, value }: TypedValue): readonly string[] {
  if (schema instanceof z.core.$ZodObject) return Object.keys(schema._zod.def.shape);
  return kindsOf({ schema, value }).flatMap((kind) => membersOf({ schema: kind, value }));
}

/** The schemas that may apply to a value at this place; none for lists, records and scalars. */
function kindsOf({ schema, value }: TypedValue): readonly Schema[] {
  if (schema instanceof z.core.$ZodDiscriminatedUnion) {
    const meant = optionsFor(schema, value);
    return meant.length > 0 ? meant : schema._zod.def.options;
  }
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options;
  if (schema instanceof z.core.$ZodLazy) return [schema._zod.innerType];
  if (schema instanceof z.core.$ZodPipe) return [schema._zod.def.in, schema._zod.def.out];
  const { def } = schema._zod;
  return 'innerType' in def && def.innerType instanceof z.core.$ZodType ? [def.innerType] : [];
}

/** Longer names are not compared, as they are unlikely to be misspelled. */
const longestName = 64;

/**
 * The known name that is most similar to an unknown one; undefined if none is similar. `otherNames`: known names for
 * names that other systems use, which are in lower case without separators; the first one that is known here is
 * returned.
 */
export function nearestMember(
  name: string,
  known: readonly string[],
  otherNames: Readonly<Record<string, readonly string[]>> = {},
): string | undefined {
  if (name.length > longestName) return undefined;
  const others = known.filter((each) => each !== name && each.length <= longestName);
  const plain = plainName(name);
  const same = others.find((each) => plainName(each) === plain);
  if (same !== undefined) return same;
  const meant = Object.hasOwn(otherNames, plain) ? (otherNames[plain] ?? []) : [];
  return meant.find((each) => others.includes(each)) ?? nearest(plain, others);
}

/** Lower case without separators, so that `min_length` equals `minLength`. */
function plainName(name: string): string {
  return name.replaceAll(/[_\s-]/g, '').toLowerCase();
}

function nearest(plain: string, known: readonly string[]): string | undefined {
  const maxDistance = plain.length < 4 ? 1 : plain.length < 8 ? 2 : 3;
  const [best] = known
    // The distance is at least the difference in length.
    .filter((each) => Math.abs(plainName(each).length - plain.length) <= maxDistance)
    .map((each) => ({ each, distance: editDistance(plain, plainName(each)) }))
    .filter(({ each, distance }) => distance <= maxDistance && distance * 2 < each.length)
    .toSorted((left, right) => left.distance - right.distance);
  return best?.each;
}

/** The number of characters to add, remove or replace (Levenshtein distance). */
function editDistance(left: string, right: string): number {
  let before = Array.from({ length: right.length + 1 }, (_, n) => n);
  for (const [row, character] of [...left].entries()) {
    const now = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (before[column] ?? 0) + (character === other ? 0 : 1);
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}
