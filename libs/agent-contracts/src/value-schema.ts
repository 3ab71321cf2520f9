import { z } from 'zod';

import { type JsonValue } from '#event-sourcing';

import { findSchemaFaults } from './schema-faults.js';

const valueTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

export type ValueType = (typeof valueTypes)[number];

/** Within a schema, `true` allows every value and `false` none. */
export type Subschema = ValueSchema | boolean;

type SubschemaMap = Readonly<Record<string, Subschema>>;
type SubschemaList = readonly Subschema[];

/**
 * The subset of JSON Schema (2020-12, and draft 7 for tuples and definitions) that is listed in docs/agents.md.
 * Keywords have the meaning that they have in JSON Schema; other keywords check nothing.
 */
export type ValueSchema = Readonly<{
  $ref?: string | undefined;
  $defs?: SubschemaMap | undefined;
  definitions?: SubschemaMap | undefined;
  type?: ValueType | readonly ValueType[] | undefined;
  enum?: readonly JsonValue[] | undefined;
  const?: JsonValue | undefined;
  allOf?: SubschemaList | undefined;
  anyOf?: SubschemaList | undefined;
  oneOf?: SubschemaList | undefined;
  not?: Subschema | undefined;
  properties?: SubschemaMap | undefined;
  patternProperties?: SubschemaMap | undefined;
  additionalProperties?: Subschema | undefined;
  propertyNames?: Subschema | undefined;
  required?: readonly string[] | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  prefixItems?: SubschemaList | undefined;
  /**
   * A list of schemas has the meaning of `prefixItems`, as in draft 7; `additionalItems` then has the meaning of
   * `items`.
   */
  items?: Subschema | SubschemaList | undefined;
  additionalItems?: Subschema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  exclusiveMaximum?: number | undefined;
  multipleOf?: number | undefined;
}>;

/** Stored as sent. The documentation shows only an object, as the schema is recursive. */
export const valueSchema = z
  .custom<ValueSchema>(isObject, { error: ({ input }) => objectFault(input) })
  .check(({ value, issues }) => {
    for (const { path, detail, suggestion } of findSchemaFaults(value)) {
      const named = suggestion === undefined ? {} : { params: { suggestion } };
      issues.push({ code: 'custom', message: detail, path: [...path], input: value, ...named });
    }
  });

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectFault(value: unknown): string {
  return value === undefined ? 'is required' : 'must be an object';
}
