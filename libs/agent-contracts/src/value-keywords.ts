import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

import { isMultiple } from './decimal.js';
import { canonicalText, countMembers, equals, isList, lengthOf, typeOf } from './json.js';
import { stepsOfText } from './text-steps.js';
import { type CheckedPart, type PartFault } from './value-part.js';
import { type ValueType } from './value-schema.js';

/** Yields the faults of a part, and undefined after each step. */
type Keyword = (part: CheckedPart, spend: Spend) => Iterable<PartFault | undefined>;

/** The keywords that check a part without inner schemas. */
export const keywords: readonly Keyword[] = [
  ({ schema: { type }, value }) =>
    type === undefined || listOf(type).some((one) => isOfType(value, one))
      ? []
      : [{ detail: `is ${typeOf(value)}, not ${listOf(type).join(' or ')}` }],
  ({ schema, value }, spend) => (schema.enum ? checkAllowed(value, schema.enum, spend) : []),
  ({ schema, value }, spend) =>
    schema.const === undefined || equals(schema.const, value, spend)
      ? []
      : [{ detail: `is not ${textOf(schema.const, spend)}` }],
  ({ schema, value }, spend) =>
    schema.required && isJsonObject(value) ? findMissing(schema.required, value, spend) : [],
  checkMembers,
  ({ schema: { minItems, maxItems }, value }) =>
    isList(value) ? bounded(value.length, { what: 'entries', from: minItems, to: maxItems }) : [],
  ({ schema, value }, spend) =>
    schema.uniqueItems === true && isList(value) ? findRepeated(value, spend) : [],
  checkText,
  checkNumber,
];

/** Serializes a value, and spends steps for its length. */
function textOf(value: JsonValue, spend: Spend): string {
  const text = JSON.stringify(value);
  spend(stepsOfText(text.length));
  return text;
}

function* checkAllowed(
  value: JsonValue,
  allowed: readonly JsonValue[],
  spend: Spend,
): Iterable<PartFault | undefined> {
  for (const one of allowed) {
    yield undefined;
    if (equals(one, value, spend)) return;
  }
  yield { detail: `is none of the values allowed: ${shownValues(allowed, spend)}` };
}

/** Maximum number of enumeration values in a message. */
const maxShown = 8;

function shownValues(allowed: readonly JsonValue[], spend: Spend): string {
  const shown = allowed.slice(0, maxShown).map((one) => textOf(one, spend));
  return [...shown, ...(allowed.length > maxShown ? ['…'] : [])].join(', ');
}

function* findMissing(
  required: readonly string[],
  value: JsonObject,
  spend: Spend,
): Iterable<PartFault> {
  spend(required.length);
  for (const member of required)
    if (!Object.hasOwn(value, member)) yield { member, detail: 'is missing' };
}

function checkMembers({ schema, value }: CheckedPart, spend: Spend): readonly PartFault[] {
  const { minProperties: from, maxProperties: to } = schema;
  if (!isJsonObject(value) || (from === undefined && to === undefined)) return [];
  return bounded(countMembers(value, spend), { what: 'members', from, to });
}

function* findRepeated(
  entries: readonly JsonValue[],
  spend: Spend,
): Iterable<PartFault | undefined> {
  const places = new Map<string, number>();
  for (const [at, entry] of entries.entries()) {
    yield undefined;
    const text = canonicalText(entry, spend);
    const first = places.get(text);
    if (first !== undefined) {
      yield { member: String(at), detail: `is the same as entry ${first}` };
      return;
    }
    places.set(text, at);
  }
}

function checkText({ schema: { minLength, maxLength }, value }: CheckedPart, spend: Spend) {
  const isBounded = minLength !== undefined || maxLength !== undefined;
  if (typeof value !== 'string' || !isBounded) return [];
  spend(stepsOfText(value.length));
  return bounded(lengthOf(value), { what: 'characters', from: minLength, to: maxLength });
}

function checkNumber({ schema, value }: CheckedPart): readonly PartFault[] {
  if (typeof value !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const above = exclusiveMinimum === undefined || value > exclusiveMinimum;
  const below = exclusiveMaximum === undefined || value < exclusiveMaximum;
  const fits = multipleOf === undefined || isMultiple(value, multipleOf);
  return [
    ...bounded(value, { what: '', from: minimum, to: maximum }),
    ...(above ? [] : [{ detail: `is ${value}, not above ${exclusiveMinimum}` }]),
    ...(below ? [] : [{ detail: `is ${value}, not below ${exclusiveMaximum}` }]),
    ...(fits ? [] : [{ detail: `is ${value}, no multiple of ${multipleOf}` }]),
  ];
}

type Bounds = Readonly<{ what: string; from: number | undefined; to: number | undefined }>;

function bounded(number: number, { what, from, to }: Bounds): readonly PartFault[] {
  const [has, unit] = what === '' ? ['is', ''] : ['has', ` ${what}`];
  if (from !== undefined && number < from)
    return [{ detail: `${has} ${number}${unit}, at least ${from} needed` }];
  if (to !== undefined && number > to)
    return [{ detail: `${has} ${number}${unit}, at most ${to} allowed` }];
  return [];
}

function isOfType(value: JsonValue, type: ValueType): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function listOf<One extends string>(one: One | readonly One[]): readonly One[] {
  return typeof one === 'string' ? [one] : one;
}
