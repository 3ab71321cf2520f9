import { z } from 'zod';

import { type BodyReader, statementMembers } from '../http/body.reader.js';

/** A JSON Schema (2020-12), or a part of an OpenAPI document. */
export type JsonSchema = { [keyword: string]: unknown };

/** The schema of what goes in or comes out, in the dialect of OpenAPI 3.1. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A schema that reads text, or tests by code, says itself how it is documented.
      const { documented } = jsonSchema;
      if (typeof documented !== 'object') return;
      delete jsonSchema['documented'];
      delete jsonSchema.pattern;
      delete jsonSchema.enum;
      Object.assign(jsonSchema, documented);
    },
  });
  delete converted.$schema;
  return converted;
}

/** A body as it is sent: what the path says is left out, what lies beside the payload is added. */
export function bodySchema({ schema, stated, fromPath }: BodyReader<unknown>): JsonSchema {
  const payload = jsonSchemaOf(schema, 'input');
  if (!stated) return payload;
  const beside = z.toJSONSchema(statementMembers, { io: 'input', unrepresentable: 'any' });
  const members = Object.entries({ ...asObject(payload['properties']), ...beside.properties });
  const required = Array.isArray(payload['required']) ? payload['required'] : [];
  return {
    ...payload,
    properties: Object.fromEntries(members.filter(([name]) => !fromPath.includes(name))),
    required: required.filter((name) => !fromPath.includes(name)),
  };
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
