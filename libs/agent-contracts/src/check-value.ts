import { type JsonObject, type JsonValue } from '#event-sourcing';

import { equals, isList, isObject, lengthOf, typeOf } from './json.js';
import { contractLimits } from './limits.js';
import { type ValueSchema, type ValueType } from './value-schema.js';

/** `pointer` is RFC 6901 into the value. */
export type Fault = Readonly<{ pointer: string; detail: string }>;

/** What is wrong with a value; the first few things, outer ones first. */
export function checkValue(schema: ValueSchema, value: JsonValue): readonly Fault[] {
  const faults: Fault[] = [];
  const open: Open[] = [{ schema, value, pointer: '' }];
  for (let at = 0; at < open.length && faults.length < contractLimits.faults; at++) {
    const next = open[at];
    if (!next) break;
    // An object may have more members than a function takes arguments.
    for (const keyword of keywords) for (const fault of keyword(next)) faults.push(fault);
    for (const part of partsOf(next)) open.push(part);
  }
  return faults.slice(0, contractLimits.faults);
}

type Open = Readonly<{ schema: ValueSchema; value: JsonValue; pointer: string }>;
type Keyword = (at: Open) => readonly Fault[];

const keywords: readonly Keyword[] = [
  ({ schema: { type }, value, pointer }) =>
    type === undefined || listOf(type).some((one) => isOfType(value, one))
      ? []
      : [{ pointer, detail: `is ${typeOf(value)}, not ${listOf(type).join(' or ')}` }],
  ({ schema, value, pointer }) =>
    schema.enum === undefined || schema.enum.some((one) => equals(one, value))
      ? []
      : [{ pointer, detail: 'is none of the values allowed' }],
  ({ schema, value, pointer }) =>
    schema.const === undefined || equals(schema.const, value)
      ? []
      : [{ pointer, detail: `is not ${JSON.stringify(schema.const)}` }],
  checkMembers,
  ({ schema: { minItems, maxItems }, value, pointer }) =>
    isList(value)
      ? bounded(value.length, { pointer, what: 'entries', from: minItems, to: maxItems })
      : [],
  ({ schema: { minLength, maxLength }, value, pointer }) =>
    typeof value === 'string'
      ? bounded(lengthOf(value), { pointer, what: 'characters', from: minLength, to: maxLength })
      : [],
  checkNumber,
];

function checkMembers({ schema, value, pointer }: Open): readonly Fault[] {
  if (!isObject(value)) return [];
  const { required = [], properties = {}, additionalProperties = true } = schema;
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ pointer: `${pointer}${step(name)}`, detail: 'is missing' }));
  const unknown = additionalProperties
    ? []
    : Object.keys(value)
        .filter((name) => !Object.hasOwn(properties, name))
        .map((name) => ({ pointer: `${pointer}${step(name)}`, detail: 'is not allowed here' }));
  return [...missing, ...unknown];
}

function checkNumber({ schema, value, pointer }: Open): readonly Fault[] {
  if (typeof value !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const above = exclusiveMinimum === undefined || value > exclusiveMinimum;
  const below = exclusiveMaximum === undefined || value < exclusiveMaximum;
  return [
    ...bounded(value, { pointer, what: '', from: minimum, to: maximum }),
    ...(above ? [] : [{ pointer, detail: `is ${value}, not above ${exclusiveMinimum}` }]),
    ...(below ? [] : [{ pointer, detail: `is ${value}, not below ${exclusiveMaximum}` }]),
  ];
}

type Bounds = Readonly<{
  pointer: string;
  what: string;
  from: number | undefined;
  to: number | undefined;
}>;

function bounded(number: number, { pointer, what, from, to }: Bounds): readonly Fault[] {
  const [has, unit] = what === '' ? ['is', ''] : ['has', ` ${what}`];
  if (from !== undefined && number < from)
    return [{ pointer, detail: `${has} ${number}${unit}, at least ${from} needed` }];
  if (to !== undefined && number > to)
    return [{ pointer, detail: `${has} ${number}${unit}, at most ${to} allowed` }];
  return [];
}

function partsOf({ schema: { properties = {}, items }, value, pointer }: Open): readonly Open[] {
  if (isList(value))
    return items
      ? value.map((entry, at) => ({ schema: items, value: entry, pointer: `${pointer}/${at}` }))
      : [];
  if (!isObject(value)) return [];
  return Object.entries(properties).flatMap(([name, schema]) =>
    memberAt(value, name, schema, pointer),
  );
}

function memberAt(
  value: JsonObject,
  name: string,
  schema: ValueSchema,
  pointer: string,
): readonly Open[] {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return member === undefined
    ? []
    : [{ schema, value: member, pointer: `${pointer}${step(name)}` }];
}

function isOfType(value: JsonValue, type: ValueType): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function listOf<One extends string>(one: One | readonly One[]): readonly One[] {
  return typeof one === 'string' ? [one] : one;
}

function step(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
