import { z } from 'zod';

import { optionsFor, schemasIn } from './schema-lists.js';

/** What a client may not state although its schema, which what is stored fits as well, takes it. */
export type InputRule = Readonly<{
  /** What is wrong with a text, and what to send instead; undefined if nothing is. */
  fault: (text: string) => string | undefined;
  /** Left out, the rule holds only for texts that are required: members of objects that are not optional. */
  always?: boolean;
}>;

/** `detail` says what to send instead of what stands at `path`. */
export type InputRuleFault = Readonly<{ path: readonly PropertyKey[]; detail: string }>;

/** Where a schema stands. */
type At = Readonly<{ path: readonly PropertyKey[]; isRequired: boolean }>;

const rules = z.registry<InputRule>();

const visibleCharacter =
  /[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether anything of a text can be seen. */
export function isVisible(text: string): boolean {
  return visibleCharacter.test(text);
}

/** A required text has something to say. */
export const visibleText: InputRule = {
  fault: (text) =>
    isVisible(text) ? undefined : 'must have a visible character: say in words what is meant',
};

/** The same schema, and those made from it by further checks, with a rule for what clients state. */
export function withInputRule<Schema extends z.ZodType<string>>(
  schema: Schema,
  rule: InputRule,
): Schema {
  rules.add(schema, rule);
  return schema;
}

/** Where input breaks rules that its schema does not know; the value fits the schema. */
export function* inputRuleFaults(
  schema: z.core.$ZodType,
  value: unknown,
  at: At = { path: [], isRequired: true },
): Generator<InputRuleFault> {
  if (value === undefined || value === null || !leadsToRule(schema)) return;
  if (typeof value === 'string') yield* textFaults(schema, value, at);
  for (const [inner, of, place] of innerPlaces(schema, value, at))
    yield* inputRuleFaults(inner, of, place);
}

function* textFaults(
  schema: z.core.$ZodType,
  text: string,
  { path, isRequired }: At,
): Generator<InputRuleFault> {
  const rule = rules.get(schema);
  if (!rule || (!isRequired && !rule.always)) return;
  const detail = rule.fault(text);
  if (detail !== undefined) yield { path, detail };
}

function* innerPlaces(
  schema: z.core.$ZodType,
  value: unknown,
  at: At,
): Generator<readonly [z.core.$ZodType, unknown, At]> {
  if (schema instanceof z.core.$ZodArray) {
    if (Array.isArray(value)) yield* entriesOf(schema._zod.def.element, value, at);
    return;
  }
  if (schema instanceof z.core.$ZodObject) {
    if (typeof value === 'object' && value !== null) yield* membersOf(schema, value, at);
    return;
  }
  const isRequired = at.isRequired && !(schema instanceof z.core.$ZodOptional);
  for (const inner of kindsOf(schema, value)) yield [inner, value, { ...at, isRequired }];
}

function* entriesOf(element: z.core.$ZodType, list: readonly unknown[], { path }: At) {
  for (const [index, entry] of list.entries())
    yield [element, entry, { path: [...path, index], isRequired: false }] as const;
}

function* membersOf({ _zod }: z.core.$ZodObject, object: object, { path }: At) {
  for (const [name, member] of Object.entries(_zod.def.shape))
    if (Object.hasOwn(object, name))
      yield [
        member,
        Reflect.get(object, name),
        { path: [...path, name], isRequired: true },
      ] as const;
}

/** Of what may be of several kinds, those that the value is of. */
function kindsOf(schema: z.core.$ZodType, value: unknown): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodDiscriminatedUnion)
    return typeof value === 'object' && value !== null ? optionsFor(schema, value) : [];
  if (schema instanceof z.core.$ZodUnion)
    return schema._zod.def.options.filter((option) => z.validate(option, value)).slice(0, 1);
  return schemasIn(schema);
}

const known = new WeakMap<z.core.$ZodType, boolean>();

/** Whether there is a rule for any text in a value of this schema. */
function leadsToRule(schema: z.core.$ZodType): boolean {
  const answer = known.get(schema);
  if (answer !== undefined) return answer;
  // For a schema that holds itself, until it is known better.
  known.set(schema, true);
  const leads = rules.get(schema) !== undefined || innerSchemas(schema).some(leadsToRule);
  known.set(schema, leads);
  return leads;
}

function innerSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodArray) return [schema._zod.def.element];
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options;
  return schemasIn(schema);
}
