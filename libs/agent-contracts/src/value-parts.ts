import { type JsonValue } from '#event-sourcing';

import { type CheckedPart, type Part } from './value-part.js';
import { type Subschema, type ValueSchema } from './value-schema.js';

/** Members with `const` or `enum` come first: they rule out an alternative before its other members are checked. */
export function discriminatorsFirst({
  properties = {},
}: ValueSchema): readonly (readonly [string, Subschema])[] {
  const members = Object.entries(properties);
  const listed = members.filter(([, schema]) => listsValues(schema));
  if (listed.length === 0) return members;
  return [...listed, ...members.filter(([, schema]) => !listsValues(schema))];
}

function listsValues(schema: Subschema): boolean {
  return typeof schema === 'object' && (schema.const !== undefined || schema.enum !== undefined);
}

/**
 * The same value with the schema of one alternative. Alternatives are checked separately, so that faults do not affect
 * others.
 */
export function alternativeTo(part: Part, schema: Subschema): Part {
  return { ...part, schema, applied: new Set() };
}

/** The entries of a list to which the schema applies. */
export function* entriesOf(within: CheckedPart, entries: readonly JsonValue[]): Generator<Part> {
  const { first, rest } = tupleOf(within.schema);
  if (first.length === 0 && rest === undefined) return;
  for (const [name, value] of entries.entries()) {
    const schema = first[name] ?? rest;
    if (schema === undefined) return;
    yield { schema, value, within, name };
  }
}

type Tuple = Readonly<{ first: readonly Subschema[]; rest: Subschema | undefined }>;

/** The schemas of the first entries and of the rest, by the keywords of draft 2020-12 or those of draft 7. */
function tupleOf({ prefixItems = [], items, additionalItems }: ValueSchema): Tuple {
  // Array.isArray does not narrow readonly lists.
  return Array.isArray(items)
    ? { first: items, rest: additionalItems }
    : { first: prefixItems, rest: items as Subschema | undefined };
}

/** Whether a part has inner parts, or further schemas apply to it. */
export function leadsOn({ schema, value }: Part): boolean {
  if (typeof schema === 'boolean') return false;
  const hasMoreSchemas = schema.$ref !== undefined || schema.allOf !== undefined;
  return hasMoreSchemas || (typeof value === 'object' && value !== null);
}
