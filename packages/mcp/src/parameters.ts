import { z } from 'zod';

import { lowestBudget, highestBudget } from './budget.js';
import { inexactNumberIn } from './exact-json.js';
import { actsForAll, agentsOf, type Principal } from './principal.js';

const isSegment = (text: string) => text.isWellFormed() && text !== '.' && text !== '..';

/** A text that becomes a segment of an address. */
export function segment(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine(isSegment, 'must not be "." or "..", nor contain half a character');
}

export const contextId = segment(128);
export const maxTokens = wholeNumber(lowestBudget, highestBudget).optional();
export const basedOn = headerText(4_096, 'must be a receipt exactly as a read returned it');
export const idempotencyKey = headerText(255, 'is 1 to 255 visible ASCII characters');

/** The state on which a write was decided. */
export const basis = {
  expectedVersion: wholeNumber(0).optional(),
  basedOn: basedOn.optional().describe('receipt'),
};

/** An integer, also as text, because some clients send text. Other values are not converted: `null` is not 0. */
export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  return z.preprocess(numberOf, z.int().min(minimum).max(maximum));
}

/** A number from 0 to 1, also as text. */
export const share = z.preprocess(numberOf, z.number().min(0).max(1));

function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** A text that is sent in a header. */
function headerText(maxLength: number, rule: string) {
  return z
    .string()
    .max(maxLength)
    .refine((text) => /^[\x21-\x7e]+$/.test(text), rule);
}

/** Any JSON, listed as a string: some clients do not accept a parameter without a type. */
export const jsonText = z.unknown().optional().meta({ type: 'string' });

/** A list, also as JSON text, because some clients send text. */
export function listOf<Schema extends z.ZodType>(schema: Schema, maxItems: number) {
  const parsed = (value: unknown, context: z.RefinementCtx) => {
    const list = parsedJson(value);
    const fault = list === value ? undefined : inexactNumber(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, input: value });
    return list;
  };
  return z.preprocess(parsed, z.array(schema).min(1).max(maxItems));
}

type Choice = z.ZodOptional<z.ZodString | z.ZodEnum>;

/** The parameter `agent`, only if the key may act for several agents. */
export function agentChoice(principal: Principal): { agent?: Choice } {
  const agent = choice(agentsOf(principal), actsForAll(principal));
  return agent ? { agent } : {};
}

/** The parameter `audience`, only if the key has several audiences. */
export function audienceChoice({ audiences }: Principal): { audience?: Choice } {
  const audience = choice(audiences, false);
  return audience ? { audience } : {};
}

/** Names cost tokens in every conversation: longer lists are checked but not listed. */
const maxListed = 120;

function choice(values: readonly string[], allowsOthers: boolean): Choice | undefined {
  const [first, ...others] = values;
  if (allowsOthers) return z.string().min(1).max(512).optional();
  if (first === undefined || others.length === 0) return undefined;
  if (values.join().length <= maxListed) return z.enum([first, ...others]).optional();
  const fault = { error: 'must be one of the names that this key may use (GET /v1/me lists them)' };
  return z
    .string()
    .refine((value) => values.includes(value), fault)
    .optional();
}

/**
 * Parses JSON text. Returns other text unchanged, and also a number that no double represents exactly. Throws a ZodError if another
 * value contains such a number. `path`: path of the text in the parameters.
 */
export function jsonOf(value: unknown, path: (string | number)[]): unknown {
  const parsed = parsedJson(value);
  const fault = parsed === value ? undefined : inexactNumber(value);
  if (fault === undefined) return parsed;
  if (typeof parsed === 'number') return value;
  throw new z.ZodError([{ code: 'custom', path, message: fault, input: value }]);
}

function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function inexactNumber(value: unknown): string | undefined {
  const number = typeof value === 'string' ? inexactNumberIn(value) : undefined;
  return number === undefined
    ? undefined
    : `contains ${number.slice(0, 40)}, which no double represents exactly: give it as a string`;
}

/** Returns a parameter that the schema has for some keys only. */
export function optionalText(parameters: object, name: 'agent' | 'audience'): string | undefined {
  const value: unknown = Reflect.get(parameters, name);
  return typeof value === 'string' ? value : undefined;
}
