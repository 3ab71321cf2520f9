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

/** Code points, which is what JSON Schema counts. */
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

/** The schema of what goes in or comes out, in the dialect of OpenAPI 3.1. */
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
      showAsDocumented(jsonSchema);
    },
  });
  delete converted.$schema;
  return converted;
}

/** The parameters of a query by name, but for those that are only there to be refused. */
export function queryProperties(query: z.ZodType | undefined): [string, unknown][] {
  const { properties } = query ? jsonSchemaOf(query, 'input') : {};
  return Object.entries(asObject(properties)).filter(([, schema]) => !('not' in asObject(schema)));
}

/** A body as it is sent: what the path says is left out, what lies beside the payload is added. */
export function bodySchema({ schema, stated, fromPath }: BodyReader<unknown>): JsonSchema {
  const payload = jsonSchemaOf(schema, 'input');
  if (!stated) return payload;
  const beside = asObject(jsonSchemaOf(statementMembers, 'input')['properties']);
  return asSent(payload, beside, fromPath);
}

/** Where a payload is one of several, each of them. */
function asSent(payload: JsonSchema, beside: object, fromPath: readonly string[]): JsonSchema {
  for (const keyword of ['oneOf', 'anyOf']) {
    const several = payload[keyword];
    if (Array.isArray(several))
      return {
        ...payload,
        [keyword]: several.map((one: JsonSchema) => asSent(one, beside, fromPath)),
      };
  }
  const members = Object.entries({ ...asObject(payload['properties']), ...beside });
  const required: readonly unknown[] = Array.isArray(payload['required'])
    ? payload['required']
    : [];
  return {
    ...payload,
    properties: Object.fromEntries(members.filter(([name]) => !fromPath.includes(name))),
    required: required.filter((name) => !fromPath.some((one) => one === name)),
  };
}

/** A schema that reads text says itself what it stands for. */
function showAsDocumented(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { documented } = jsonSchema;
  if (typeof documented !== 'object') return;
  delete jsonSchema['documented'];
  delete jsonSchema.pattern;
  delete jsonSchema.enum;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, documented);
}

/** A schema that is code can only be asked what it takes. */
function takesOnlyObjects(schema: z.core.$ZodType): boolean {
  if (schema._zod.def.type !== 'custom') return false;
  const takes = (value: unknown) => z.safeParse(schema, value).success;
  return takes({}) && !takes([]) && !takes('');
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
