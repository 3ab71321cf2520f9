import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Spend } from '#expressions';

import { equals, isList, isObject, lengthOf, memberOf, typeOf } from './json.js';
import { contractLimits } from './limits.js';
import { stepsOfText } from './text-steps.js';
import { type ValueSchema, type ValueType } from './value-schema.js';

/** `pointer` is RFC 6901 into the value. */
export type Fault = Readonly<{ pointer: string; detail: string }>;

/**
 * What is wrong with a value; the first few things, outer ones first. In steps of a part of the value, or of a value that
 * a part is compared with.
 */
export function* checkValue(
  schema: ValueSchema,
  value: JsonValue,
  spend: Spend,
): Generator<void, readonly Fault[]> {
  const faults: Fault[] = [];
  for (const part of partsInOrder({ schema, value, within: undefined, name: '' }, spend)) {
    yield;
    spend(1);
    for (const found of findFaults(part, spend))
      if (found) faults.push({ pointer: pointerTo(part, found.member), detail: found.detail });
      else yield;
    if (faults.length >= contractLimits.faults) break;
  }
  return faults.slice(0, contractLimits.faults);
}

/** A part of the value, the part that it is a member or an entry of, and its name or place there. */
type Part = Readonly<{
  schema: ValueSchema;
  value: JsonValue;
  within: Part | undefined;
  name: string | number;
}>;

/** `member`: of the part, where it is at fault. */
type Found = Readonly<{ detail: string; member?: string }>;
/** What is wrong with a part; undefined behind a step. */
type Keyword = (part: Part, spend: Spend) => Iterable<Found | undefined>;

function* findFaults(part: Part, spend: Spend): Iterable<Found | undefined> {
  for (const keyword of keywords) yield* keyword(part, spend);
}

const keywords: readonly Keyword[] = [
  ({ schema: { type }, value }) =>
    type === undefined || listOf(type).some((one) => isOfType(value, one))
      ? []
      : [{ detail: `is ${typeOf(value)}, not ${listOf(type).join(' or ')}` }],
  (part, spend) => (part.schema.enum ? checkAllowed(part, part.schema.enum, spend) : []),
  ({ schema, value }, spend) =>
    schema.const === undefined || equals(schema.const, value, spend)
      ? []
      : [{ detail: `is not ${JSON.stringify(schema.const)}` }],
  ({ schema, value }, spend) =>
    schema.required && isObject(value) ? findMissing(schema.required, value, spend) : [],
  ({ schema, value }, spend) =>
    schema.additionalProperties === false && isObject(value)
      ? findUnknown(schema.properties ?? {}, value, spend)
      : [],
  ({ schema: { minItems, maxItems }, value }) =>
    isList(value) ? bounded(value.length, { what: 'entries', from: minItems, to: maxItems }) : [],
  checkText,
  checkNumber,
];

function* checkAllowed(
  { value }: Part,
  allowed: readonly JsonValue[],
  spend: Spend,
): Iterable<Found | undefined> {
  for (const one of allowed) {
    yield undefined;
    if (equals(one, value, spend)) return;
  }
  yield { detail: 'is none of the values allowed' };
}

function* findMissing(
  required: readonly string[],
  value: JsonObject,
  spend: Spend,
): Iterable<Found> {
  spend(required.length);
  for (const member of required)
    if (!Object.hasOwn(value, member)) yield { member, detail: 'is missing' };
}

function* findUnknown(known: object, value: JsonObject, spend: Spend): Iterable<Found> {
  let found = 0;
  for (const member of Object.keys(value)) {
    spend(1);
    if (Object.hasOwn(known, member)) continue;
    yield { member, detail: 'is not allowed here' };
    if (++found === contractLimits.faults) return;
  }
}

function checkText({ schema: { minLength, maxLength }, value }: Part, spend: Spend) {
  const isBounded = minLength !== undefined || maxLength !== undefined;
  if (typeof value !== 'string' || !isBounded) return [];
  spend(stepsOfText(value.length));
  return bounded(lengthOf(value), { what: 'characters', from: minLength, to: maxLength });
}

function checkNumber({ schema, value }: Part): readonly Found[] {
  if (typeof value !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const above = exclusiveMinimum === undefined || value > exclusiveMinimum;
  const below = exclusiveMaximum === undefined || value < exclusiveMaximum;
  return [
    ...bounded(value, { what: '', from: minimum, to: maximum }),
    ...(above ? [] : [{ detail: `is ${value}, not above ${exclusiveMinimum}` }]),
    ...(below ? [] : [{ detail: `is ${value}, not below ${exclusiveMaximum}` }]),
  ];
}

type Bounds = Readonly<{ what: string; from: number | undefined; to: number | undefined }>;

function bounded(number: number, { what, from, to }: Bounds): readonly Found[] {
  const [has, unit] = what === '' ? ['is', ''] : ['has', ` ${what}`];
  if (from !== undefined && number < from)
    return [{ detail: `${has} ${number}${unit}, at least ${from} needed` }];
  if (to !== undefined && number > to)
    return [{ detail: `${has} ${number}${unit}, at most ${to} allowed` }];
  return [];
}

/** A part and all below it that a schema says something of, outer ones first. */
function* partsInOrder(root: Part, spend: Spend): Generator<Part> {
  yield root;
  const holders = [root];
  for (const holder of holders)
    for (const part of partsOf(holder, spend)) {
      yield part;
      if (typeof part.value === 'object' && part.value !== null) holders.push(part);
    }
}

function* partsOf(within: Part, spend: Spend): Generator<Part> {
  const { schema, value } = within;
  const { properties = {}, items } = schema;
  if (isList(value)) {
    if (!items) return;
    for (const [name, entry] of value.entries())
      yield { schema: items, value: entry, within, name };
  } else
    for (const [name, ofMember] of Object.entries(properties)) {
      spend(1);
      const member = memberOf(value, name);
      if (member !== undefined) yield { schema: ofMember, value: member, within, name };
    }
}

function pointerTo(part: Part, member: string | undefined): string {
  const names: (string | number)[] = member === undefined ? [] : [member];
  for (let at = part; at.within; at = at.within) names.unshift(at.name);
  return names.map(step).join('');
}

function isOfType(value: JsonValue, type: ValueType): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function listOf<One extends string>(one: One | readonly One[]): readonly One[] {
  return typeof one === 'string' ? [one] : one;
}

function step(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
