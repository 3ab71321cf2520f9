import { type JsonValue } from '#event-sourcing';

import { contractLimits } from './limits.js';
import { type Subschema, type ValueSchema } from './value-schema.js';

/** A fault; `pointer` is a JSON pointer (RFC 6901) into the value. */
export type Fault = Readonly<{ pointer: string; detail: string }>;

/**
 * A part of the value and the schema that it is checked against, the part that contains it, and its member name or
 * index there.
 */
export type Part<Schema extends Subschema = Subschema> = Readonly<{
  schema: Schema;
  value: JsonValue;
  within: Part | undefined;
  name: string | number;
  /** Schemas that references have already applied to this value, if it has no parts. */
  applied?: Set<Subschema>;
}>;

/** A part whose schema is an object, not `true` or `false`. */
export type CheckedPart = Part<ValueSchema>;

/** `member`: the name of the faulty member; undefined if the part itself is faulty. */
export type PartFault = Readonly<{ detail: string; member?: string }>;

export function isChecked(part: Part): part is CheckedPart {
  return typeof part.schema === 'object';
}

export function pointerTo(part: Part, member: string | undefined): string {
  const names: (string | number)[] = member === undefined ? [] : [member];
  for (let at = part; at.within; at = at.within) names.unshift(at.name);
  return names.map(step).join('');
}

/** Shortens a detail that quotes long names to the length that is reported. */
export function shortDetail(detail: string): string {
  const { detail: maxLength } = contractLimits;
  if (detail.length <= maxLength) return detail;
  return `${Array.from(detail.slice(0, maxLength)).slice(0, -2).join('')}…`;
}

function step(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
