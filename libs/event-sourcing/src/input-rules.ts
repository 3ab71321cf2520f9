import { z } from 'zod';

import { maxIssues } from './bounded-parse.js';
import { optionsFor, schemasIn } from './schema-lists.js';

/** A rule for client input that cannot be part of the schema, because older stored events violate it. */
export type InputRule = Readonly<{
  /** The fault of a text, and what to send instead; undefined if the text is valid. */
  fault: (text: string) => string | undefined;
  /** If false or absent, the rule applies only to required texts: to members of objects that are not optional. */
  always?: boolean;
}>;

/** `detail` states what to send instead of the value at `path`. */
type InputRuleFault = Readonly<{ path: readonly PropertyKey[]; detail: string }>;

/** `more`: the number of faults that `faults` does not list. */
type InputRuleFaults = Readonly<{ faults: readonly InputRuleFault[]; more: number }>;

const rules = z.registry<InputRule>();

const visibleCharacter =
  /[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has a visible character. */
export function isVisible(text: string): boolean {
  // Most texts begin with a visible ASCII character.
  const first = text.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || visibleCharacter.test(text);
}

/** A required text must have a visible character. */
export const visibleText: InputRule = {
  fault: (text) =>
    isVisible(text) ? undefined : 'must have a visible character: send readable text',
};

/** Adds a rule for client input to a schema; schemas that are derived from it by further checks inherit the rule. */
export function withInputRule<Schema extends z.ZodType<string>>(
  schema: Schema,
  rule: InputRule,
): Schema {
  rules.add(schema, rule);
  return schema;
}

/**
 * Finds where a value that fits its schema breaks rules for input. Lists at most {@link maxIssues} places, and visits
 * only the parts of the value that have rules.
 */
export function inputRuleFaults(schema: z.core.$ZodType, value: unknown): InputRuleFaults {
  return new FaultFinder().find(schema, value);
}

class FaultFinder {
  readonly #faults: InputRuleFault[] = [];
  #more = 0;
  /**
   * The path of the current value. It is copied for faults only, because a list may have many entries and few faults.
   */
  readonly #path: PropertyKey[] = [];

  find(schema: z.core.$ZodType, value: unknown): InputRuleFaults {
    this.#walk(schema, value, true);
    return { faults: this.#faults, more: this.#more };
  }

  #walk(schema: z.core.$ZodType, value: unknown, isRequired: boolean): void {
    if (value === undefined || value === null || !leadsToRule(schema, isRequired)) return;
    const rule = typeof value === 'string' ? ruleOf(schema) : undefined;
    if (rule) this.#check(rule, String(value), isRequired);
    else this.#walkInside(schema, value, isRequired);
  }

  #walkInside(schema: z.core.$ZodType, value: unknown, isRequired: boolean): void {
    if (schema instanceof z.core.$ZodArray) return this.#walkEntries(schema, value);
    if (schema instanceof z.core.$ZodObject) return this.#walkMembers(schema, value);
    const isInnerRequired = isRequired && !(schema instanceof z.core.$ZodOptional);
    for (const kind of kindsOf(schema, value)) this.#walk(kind, value, isInnerRequired);
  }

  #walkEntries({ _zod }: z.core.$ZodArray, list: unknown): void {
    if (!Array.isArray(list)) return;
    const { element } = _zod.def;
    const at = this.#path.length;
    for (let index = 0; index < list.length; index++) {
      this.#path[at] = index;
      this.#walk(element, list[index], false);
    }
    this.#path.length = at;
  }

  #walkMembers(schema: z.core.$ZodObject, object: unknown): void {
    if (typeof object !== 'object' || object === null) return;
    const at = this.#path.length;
    for (const [name, member] of ruledMembers(schema)) {
      if (!Object.hasOwn(object, name)) continue;
      this.#path[at] = name;
      this.#walk(member, Reflect.get(object, name), true);
    }
    this.#path.length = at;
  }

  #check(rule: InputRule, text: string, isRequired: boolean): void {
    const detail = isRequired || rule.always ? rule.fault(text) : undefined;
    if (detail === undefined) return;
    if (this.#faults.length < maxIssues) this.#faults.push({ path: [...this.#path], detail });
    else this.#more += 1;
  }
}

/** The schemas that apply to a value; for a union, the options that the value fits. */
function kindsOf(schema: z.core.$ZodType, value: unknown): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodDiscriminatedUnion)
    return typeof value === 'object' && value !== null ? optionsFor(schema, value) : [];
  if (schema instanceof z.core.$ZodUnion)
    return schema._zod.def.options.filter((option) => z.validate(option, value)).slice(0, 1);
  return schemasIn(schema);
}

const knownRules = new WeakMap<z.core.$ZodType, { rule: InputRule | undefined }>();

/**
 * Caches the rule of a schema: each lookup in the registry merges the entries of all schemas that it was derived from.
 */
function ruleOf(schema: z.core.$ZodType): InputRule | undefined {
  const known = knownRules.get(schema) ?? { rule: rules.get(schema) };
  knownRules.set(schema, known);
  return known.rule;
}

const knownMembers = new WeakMap<z.core.$ZodObject, readonly Member[]>();

type Member = readonly [string, z.core.$ZodType];

/** The members that lead to a rule. */
function ruledMembers(schema: z.core.$ZodObject): readonly Member[] {
  const known =
    knownMembers.get(schema) ??
    Object.entries(schema._zod.def.shape).filter(([, member]) => leadsToRule(member, true));
  knownMembers.set(schema, known);
  return known;
}

const leading = {
  required: new WeakMap<z.core.$ZodType, boolean>(),
  optional: new WeakMap<z.core.$ZodType, boolean>(),
};

/** Whether a rule applies to any text within a value of this schema, given whether the value is required. */
function leadsToRule(schema: z.core.$ZodType, isRequired: boolean): boolean {
  const known = isRequired ? leading.required : leading.optional;
  const answer = known.get(schema);
  if (answer !== undefined) return answer;
  // Ends the recursion for a schema that contains itself.
  known.set(schema, true);
  const rule = ruleOf(schema);
  const holds = rule !== undefined && (isRequired || rule.always === true);
  const leads = holds || innerLeads(schema, isRequired);
  known.set(schema, leads);
  return leads;
}

function innerLeads(schema: z.core.$ZodType, isRequired: boolean): boolean {
  if (schema instanceof z.core.$ZodArray) return leadsToRule(schema._zod.def.element, false);
  if (schema instanceof z.core.$ZodObject)
    return Object.values(schema._zod.def.shape).some((member) => leadsToRule(member, true));
  const inner = schema instanceof z.core.$ZodUnion ? schema._zod.def.options : schemasIn(schema);
  const isInnerRequired = isRequired && !(schema instanceof z.core.$ZodOptional);
  return inner.some((each) => leadsToRule(each, isInnerRequired));
}
