import { z } from 'zod';

import { lowestBudget, highestBudget } from './budget.js';
import { inexactNumberIn } from './exact-json.js';
import { actsForAll, agentsOf, type Principal } from './principal.js';

const isSegment = (text: string) => text.isWellFormed() && text !== '.' && text !== '..';

/** A text that becomes a part of an address. */
export function segment(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine(isSegment, 'must not be "." or "..", nor contain half a character');
}

export const contextId = segment(128);
export const maxTokens = wholeNumber(lowestBudget, highestBudget).optional();
export const basedOn = headerText(4_096, 'must be a receipt exactly as a read returned it');
export const idempotencyKey = headerText(255, 'is 1 to 255 visible ASCII characters');

/** What a write may say of the state it was decided on. */
export const basis = {
  expectedVersion: wholeNumber(0).optional(),
  basedOn: basedOn.optional().describe('receipt'),
};

/** Also given as text, as some clients do. Nothing else is taken for a number: `null` is not 0. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.preprocess(numberOf, z.int().min(least).max(most));
}

/** From 0 to 1, also given as text. */
export const share = z.preprocess(numberOf, z.number().min(0).max(1));

function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** What is sent in a header. */
function headerText(most: number, rule: string) {
  return z
    .string()
    .max(most)
    .refine((text) => /^[\x21-\x7e]+$/.test(text), rule);
}

/** Any JSON, listed as the text that clients make of it: some take no parameter without a type. */
export const jsonText = z.unknown().optional().meta({ type: 'string' });

/** A list, also as the JSON text that some clients make of it. */
export function listOf<Schema extends z.ZodType>(schema: Schema, most: number) {
  const parsed = (value: unknown, context: z.RefinementCtx) => {
    const list = parsedJson(value);
    const fault = list === value ? undefined : inexactNumber(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, input: value });
    return list;
  };
  return z.preprocess(parsed, z.array(schema).min(1).max(most));
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
 * The value that a text is the JSON of; any other text as it is, and so a number alone that no double holds exactly. Throws what a schema
 * would if another value could only be read changed; `path` is the place of the text among the parameters.
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
    : `holds ${number.slice(0, 40)}, which no double holds exactly: give it as a string`;
}

/** A parameter that the schema has for some keys only. */
export function chosen(given: object, name: 'agent' | 'audience'): string | undefined {
  const value: unknown = Reflect.get(given, name);
  return typeof value === 'string' ? value : undefined;
}
