import { type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Members that are not listed, because they cost tokens in every conversation; calls are checked against them. */
const unlisted: ReadonlySet<string> = new Set([
  '$schema',
  'minLength',
  'maxLength',
  'minItems',
  'exclusiveMinimum',
] as const);

/**
 * Returns the schema of parameters for the list of tools, without constraints that only refuse calls. The tool itself parses
 * calls, so that a refusal ends like every answer.
 */
export function listedSchema(input: z.ZodObject): StandardSchemaWithJSON {
  const listed = listedPart(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
  const json = () => listed as Json;
  return {
    '~standard': {
      version: 1,
      vendor: 'throughline',
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}

function listedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(listedPart);
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).filter(([name, value]) => !isUnlisted(name, value));
  return Object.fromEntries(members.map(([name, value]) => [name, listedPart(value)]));
}

function isUnlisted(name: string, value: unknown): boolean {
  return unlisted.has(name) || (name === 'maximum' && value === Number.MAX_SAFE_INTEGER);
}
