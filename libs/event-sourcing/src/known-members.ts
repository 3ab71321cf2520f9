import { z } from 'zod';

import { optionsFor } from './schema-lists.js';

type Schema = z.core.$ZodType;

/**
 * The names of the members that a schema defines at a place of a value, without those that the value already has. For a union,
 * those of the option that the value's discriminator selects, or of all options if it selects none.
 */
export function knownMembers(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[],
): readonly string[] {
  let places: readonly Typed[] = [{ schema, value }];
  for (const step of path) places = places.flatMap((place) => placesAt(place, step));
  const known = new Set(places.flatMap(membersOf));
  return [...known].filter(
    (name) => !places.some((place) => Object.hasOwn(place.value ?? {}, name)),
  );
}

type Typed = Readonly<{ schema: Schema; value: unknown }>;

function placesAt({ schema, value }: Typed, step: PropertyKey): readonly Typed[] {
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

function membersOf({ schema, value }: Typed): readonly string[] {
  if (schema instanceof z.core.$ZodObject) return Object.keys(schema._zod.def.shape);
  return kindsOf({ schema, value }).flatMap((kind) => membersOf({ schema: kind, value }));
}

/** The schemas that a value may have in this place; none for lists, records and scalars. */
function kindsOf({ schema, value }: Typed): readonly Schema[] {
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

/** A longer name is not compared: nobody mistypes one. */
const longestName = 64;

/**
 * The known name that is nearest to another one; undefined if none is near. `otherNames`: what others call members, without
 * case and separators, by the names that are tried in their order.
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

/** Without case and separators: `min_length` is `minLength`. */
function plainName(name: string): string {
  return name.replaceAll(/[_\s-]/g, '').toLowerCase();
}

function nearest(plain: string, known: readonly string[]): string | undefined {
  const most = plain.length < 4 ? 1 : plain.length < 8 ? 2 : 3;
  const [best] = known
    // The distance is never less than the difference in length.
    .filter((each) => Math.abs(plainName(each).length - plain.length) <= most)
    .map((each) => ({ each, distance: editDistance(plain, plainName(each)) }))
    .filter(({ each, distance }) => distance <= most && distance * 2 < each.length)
    .toSorted((left, right) => left.distance - right.distance);
  return best?.each;
}

/** How many characters have to be added, left out or replaced (Levenshtein). */
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
