import { z } from 'zod';

import { type JsonValue, parseBounded } from '#event-sourcing';

import { contractLimits } from './limits.js';
import { named } from './named.schema.js';

export const valueTypes = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
] as const;

export type ValueType = (typeof valueTypes)[number];

/**
 * What a value must be like: the part of JSON Schema (2020-12) that needs neither patterns nor references, so that
 * checking a value takes time in proportion to the value. Every keyword means what it means there.
 */
export type ValueSchema = Readonly<{
  title?: string | undefined;
  description?: string | undefined;
  type?: ValueType | readonly ValueType[] | undefined;
  enum?: readonly JsonValue[] | undefined;
  const?: JsonValue | undefined;
  properties?: Readonly<Record<string, ValueSchema>> | undefined;
  required?: readonly string[] | undefined;
  additionalProperties?: boolean | undefined;
  items?: ValueSchema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  exclusiveMaximum?: number | undefined;
}>;

const anyJson = z.custom<JsonValue>((value) => value !== undefined, 'is required');
const count = z.int().min(0);
const memberName = z.string().max(256);

const node: z.ZodType<ValueSchema> = z.lazy(() =>
  z.strictObject({
    title: z.string().max(1_000).optional(),
    description: z.string().max(10_000).optional(),
    type: z.union([z.enum(valueTypes), z.array(z.enum(valueTypes)).min(1).max(7)]).optional(),
    enum: z.array(anyJson).min(1).max(256).optional(),
    const: anyJson.optional(),
    properties: named(memberName, node, contractLimits.schemaNodes).optional(),
    required: z.array(memberName).max(contractLimits.schemaNodes).optional(),
    additionalProperties: z.boolean().optional(),
    items: node.optional(),
    minItems: count.optional(),
    maxItems: count.optional(),
    minLength: count.optional(),
    maxLength: count.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
  }),
);

/** Kept as it was sent. Documentation shows an object: what is in it refers to itself. */
export const valueSchema = z
  .custom<ValueSchema>(isObject, 'must be an object')
  .check(({ value, issues }) => {
    if (!isBounded(value)) {
      issues.push({ code: 'custom', message: tooLarge, input: value });
      return;
    }
    const parsed = parseBounded(node, value);
    for (const { message, path } of parsed.success ? [] : parsed.issues)
      issues.push({ code: 'custom', message, path: [...path], input: value });
  });

const tooLarge = `is too large: at most ${contractLimits.schemaNodes} schemas, ${contractLimits.schemaDepth} deep`;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Before it is known to be a schema. */
function isBounded(schema: unknown): boolean {
  let left: number = contractLimits.schemaNodes;
  let level: readonly unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    left -= level.length;
    if (left < 0 || depth === contractLimits.schemaDepth) return false;
    level = level.flatMap(schemasBelow);
  }
  return true;
}

function schemasBelow(schema: unknown): readonly unknown[] {
  const { properties, items } = Object(schema);
  return [...(isObject(properties) ? Object.values(properties) : []), ...(items ? [items] : [])];
}
