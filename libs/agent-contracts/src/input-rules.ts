import { type JsonValue, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

import { type InputRules } from './agent.schema.js';
import { headingsOf, sectionName } from './headings.js';
import { countMembers, isBlank, isList, lengthOf, memberOf, typeOf } from './json.js';
import { textIn } from './text-in.js';
import { stepsOfText } from './text-steps.js';

/** A violated rule, by its name in the contract, and the details. */
export type RuleViolation = Readonly<{ rule: string; detail: string }>;

/** Checks the rules that depend only on the value. */
export function* checkRules(
  rules: InputRules,
  value: JsonValue,
  spend: Spend,
): Generator<void, readonly RuleViolation[]> {
  const { format, requiredSections = [] } = rules;
  const asksForHeadings = format === 'markdown' || requiredSections.length > 0;
  const headings =
    typeof value === 'string' && asksForHeadings ? yield* headingsOf(value, spend) : noHeadings;
  return [
    ...checkFormat(rules, value, headings),
    ...(yield* checkSections(requiredSections, value, { headings, spend })),
    ...(yield* checkWords(rules, value, spend)),
    ...checkLength(rules, value, spend),
    ...checkCount(rules, value, spend),
  ];
}

type Headings = ReadonlySet<string>;

const noHeadings: Headings = new Set();

function checkFormat(
  { format }: InputRules,
  value: JsonValue,
  headings: Headings,
): readonly RuleViolation[] {
  if (format === undefined || hasFormat(value, format, headings)) return [];
  const detail =
    format === 'markdown' && typeof value === 'string'
      ? 'is a text without a heading, not markdown'
      : `is ${typeOf(value)}, not ${format}`;
  return [{ rule: 'format', detail }];
}

function hasFormat(
  value: JsonValue,
  format: NonNullable<InputRules['format']>,
  headings: Headings,
): boolean {
  if (format === 'integer') return Number.isInteger(value);
  if (format === 'markdown') return headings.size > 0;
  return typeOf(value) === format;
}

/** Outputs of agents are mostly objects with a `structured_data` member: the sections may be in either of them. */
function* checkSections(
  sections: readonly string[],
  value: JsonValue,
  { headings, spend }: Readonly<{ headings: Headings; spend: Spend }>,
): Generator<void, readonly RuleViolation[]> {
  const structured = memberOf(value, 'structured_data');
  const broken: RuleViolation[] = [];
  for (const section of sections) {
    yield;
    const isThere =
      typeof value === 'string'
        ? headings.has(sectionName(section))
        : [value, structured].some((holder) => !isBlank(memberOf(holder, section), spend));
    if (!isThere)
      broken.push({ rule: 'requiredSections', detail: `"${section}" is missing or blank` });
  }
  return broken;
}

function* checkWords(
  { mustContain = [] }: InputRules,
  value: JsonValue,
  spend: Spend,
): Generator<void, readonly RuleViolation[]> {
  if (mustContain.length === 0) return [];
  const text = (yield* textIn(value, spend)).toLowerCase();
  const broken: RuleViolation[] = [];
  for (const word of mustContain) {
    yield;
    spend(stepsOfText(text.length));
    if (!text.includes(word.toLowerCase()))
      broken.push({ rule: 'mustContain', detail: `"${word}" is nowhere in it` });
  }
  return broken;
}

function checkLength(
  { minLength }: InputRules,
  value: JsonValue,
  spend: Spend,
): readonly RuleViolation[] {
  if (minLength === undefined) return [];
  if (typeof value !== 'string')
    return [{ rule: 'minLength', detail: `is ${typeOf(value)}: only a text has a length` }];
  spend(stepsOfText(value.length));
  const length = lengthOf(value);
  return length >= minLength
    ? []
    : [{ rule: 'minLength', detail: `has ${length} characters, at least ${minLength} needed` }];
}

function checkCount(
  { minCount }: InputRules,
  value: JsonValue,
  spend: Spend,
): readonly RuleViolation[] {
  if (minCount === undefined) return [];
  if (!isList(value) && !isJsonObject(value))
    return [
      { rule: 'minCount', detail: `is ${typeOf(value)}: only lists and objects can be counted` },
    ];
  const count = isList(value) ? value.length : countMembers(value, spend);
  return count >= minCount
    ? []
    : [{ rule: 'minCount', detail: `has ${count} entries, at least ${minCount} needed` }];
}
