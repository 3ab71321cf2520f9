import { z } from 'zod';

import {
  agentId,
  contextId,
  existingId,
  existingOrNewId,
  identifier,
  maxMembers,
  statedValues,
} from '#shared-context';

import { type BodyReader, statementMembers } from '../http/body.reader.js';

/** A JSON Schema (2020-12), or a part of an OpenAPI document. */
export type JsonSchema = { [keyword: string]: unknown };

/** In code points, the unit of JSON Schema. */
const identifierLimits = { minLength: 1, maxLength: 256 };

const ids: ReadonlySet<z.core.$ZodType> = new Set([
  identifier,
  existingId,
  existingOrNewId,
  agentId,
]);

/** Clients may not choose the ids `.` and `..`; stored items may have them. */
const patternOfNewId = '^(?!\\.{1,2}$)';

const newIds: ReadonlyMap<z.core.$ZodType, string> = new Map<z.core.$ZodType, string>([
  [identifier, patternOfNewId],
  [existingOrNewId, patternOfNewId],
  [agentId, patternOfNewId],
  [contextId, `${patternOfNewId}[A-Za-z0-9._-]{1,128}$`],
]);

/** The JSON Schema of the input or output type, in the dialect of OpenAPI 3.1. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (ids.has(zodSchema)) Object.assign(jsonSchema, identifierLimits);
      const pattern = io === 'input' ? newIds.get(zodSchema) : undefined;
      if (pattern !== undefined) jsonSchema.pattern = pattern;
      if (zodSchema === statedValues) jsonSchema.maxProperties = maxMembers;
      if (takesOnlyObjects(zodSchema)) jsonSchema.type = 'object';
      replaceWithDocumented(jsonSchema);
    },
  });
  delete converted.$schema;
  return converted;
}

/** The query parameters by name, without parameters that are declared only to be refused. */
export function queryProperties(query: z.ZodType | undefined): [string, unknown][] {
  const { properties } = query ? jsonSchemaOf(query, 'input') : {};
  return Object.entries(asObject(properties)).filter(([, schema]) => !('not' in asObject(schema)));
}

/** The schema of a request body: the payload without the members from the path, plus the statement members. */
export function bodySchema({ schema, isStatement, fromPath }: BodyReader<unknown>): JsonSchema {
  const payload = jsonSchemaOf(schema, 'input');
  if (!isStatement) return payload;
  const statement = asObject(jsonSchemaOf(statementMembers, 'input')['properties']);
  return sentSchema(payload, statement, fromPath);
}

/** Adds the statement members to the payload, or to each alternative if the payload is a union. */
function sentSchema(
  payload: JsonSchema,
  statement: object,
  fromPath: readonly string[],
): JsonSchema {
  for (const keyword of ['oneOf', 'anyOf']) {
    const several = payload[keyword];
    if (Array.isArray(several))
      return {
        ...payload,
        [keyword]: several.map((one: JsonSchema) => sentSchema(one, statement, fromPath)),
      };
  }
  const members = Object.entries({ ...asObject(payload['properties']), ...statement });
  const required: readonly unknown[] = Array.isArray(payload['required'])
    ? payload['required']
    : [];
  return {
    ...payload,
    properties: Object.fromEntries(members.filter(([name]) => !fromPath.includes(name))),
    required: required.filter((name) => !fromPath.some((one) => one === name)),
  };
}

/** Replaces the schema of the text with the documented schema of the parsed value. */
function replaceWithDocumented(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { documented } = jsonSchema;
  if (typeof documented !== 'object') return;
  delete jsonSchema['documented'];
  delete jsonSchema.pattern;
  delete jsonSchema.enum;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, documented);
}

/** Custom schemas have no structure to convert, so this tries sample values. */
function takesOnlyObjects(schema: z.core.$ZodType): boolean {
  if (schema._zod.def.type !== 'custom') return false;
  const takes = (value: unknown) => z.safeParse(schema, value).success;
  return takes({}) && !takes([]) && !takes('');
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
