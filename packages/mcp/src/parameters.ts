import { z } from 'zod';

import { leastTokens, mostTokens } from './budget.js';
import { actsForAll, agentsOf, type Principal } from './principal.js';

export const contextId = z.string().min(1).max(128);
export const maxTokens = z.coerce.number().int().min(leastTokens).max(mostTokens).optional();
export const basedOn = z.string().max(4_096);
/** Given as text, as some clients do. */
const version = z.coerce.number().int().min(0);

/** What a write may say of the state it was decided on. */
export const basis = {
  expectedVersion: version.optional(),
  basedOn: basedOn.optional().describe('receipt'),
};

/** Any JSON, listed as the text that clients make of it: some take no parameter without a type. */
export const jsonText = z.unknown().optional().meta({ type: 'string' });

/** A list, also as the JSON text that some clients make of it. */
export function listOf<Schema extends z.ZodType>(schema: Schema, most: number) {
  return z.preprocess(jsonOf, z.array(schema).min(1).max(most));
}

type Choice = z.ZodOptional<z.ZodString | z.ZodEnum>;

/** The agent to act as, only if the key leaves a choice. */
export function agentChoice(principal: Principal): { agent?: Choice } {
  const agent = choice(agentsOf(principal), actsForAll(principal));
  return agent ? { agent } : {};
}

/** The audience to read for, only if the key leaves a choice. */
export function audienceChoice({ audiences }: Principal): { audience?: Choice } {
  const audience = choice(audiences, false);
  return audience ? { audience } : {};
}

/** Names take tokens in every conversation: longer lists are checked but not listed. */
const mostListed = 120;

function choice(values: readonly string[], allowsOthers: boolean): Choice | undefined {
  const [first, ...others] = values;
  if (allowsOthers) return z.string().min(1).max(512).optional();
  if (first === undefined || others.length === 0) return undefined;
  if (values.join().length <= mostListed) return z.enum([first, ...others]).optional();
  const fault = { error: 'is none that this key stands for' };
  return z
    .string()
    .refine((value) => values.includes(value), fault)
    .optional();
}

/** The value that a text is the JSON of; any other text as it is. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A parameter that the schema has for some keys only. */
export function chosen(given: object, name: 'agent' | 'audience'): string | undefined {
  const value: unknown = Reflect.get(given, name);
  return typeof value === 'string' ? value : undefined;
}
