import { type JsonValue } from '#event-sourcing';

import { type InputRules } from './agent.schema.js';
import { isBlank, isList, isObject, lengthOf, memberOf, typeOf } from './json.js';
import { headingsOf, sectionName } from './headings.js';
import { textIn } from './text-in.js';

/** A rule that a value breaks, by its name in the contract, and how. */
export type Broken = Readonly<{ rule: string; detail: string }>;

/** The rules that look at nothing but the value. */
export function checkRules(rules: InputRules, value: JsonValue): readonly Broken[] {
  return checks.flatMap((check) => check(rules, value));
}

type Check = (rules: InputRules, value: JsonValue) => readonly Broken[];

const checks: readonly Check[] = [checkFormat, checkSections, checkWords, checkLength, checkCount];

function checkFormat({ format }: InputRules, value: JsonValue): readonly Broken[] {
  if (format === undefined || hasFormat(value, format)) return [];
  const detail =
    format === 'markdown' && typeof value === 'string'
      ? 'is a text without a heading, not markdown'
      : `is ${typeOf(value)}, not ${format}`;
  return [{ rule: 'format', detail }];
}

function hasFormat(value: JsonValue, format: NonNullable<InputRules['format']>): boolean {
  if (format === 'integer') return Number.isInteger(value);
  if (format === 'markdown') return typeof value === 'string' && headingsOf(value).size > 0;
  return typeOf(value) === format;
}

function checkSections({ requiredSections = [] }: InputRules, value: JsonValue): readonly Broken[] {
  if (requiredSections.length === 0) return [];
  const held = sectionsOf(value);
  return requiredSections
    .filter((section) => !held(section))
    .map((section) => ({ rule: 'requiredSections', detail: `"${section}" is missing or blank` }));
}

/** What an agent hands over is mostly a file with its `structured_data` beside it: sections may stand in either. */
function sectionsOf(value: JsonValue): (section: string) => boolean {
  if (typeof value === 'string') {
    const headings = headingsOf(value);
    return (section) => headings.has(sectionName(section));
  }
  const structured = memberOf(value, 'structured_data');
  return (section) => !isBlank(memberOf(value, section)) || !isBlank(memberOf(structured, section));
}

function checkWords({ mustContain = [] }: InputRules, value: JsonValue): readonly Broken[] {
  if (mustContain.length === 0) return [];
  const text = textIn(value).toLowerCase();
  return mustContain
    .filter((word) => !text.includes(word.toLowerCase()))
    .map((word) => ({ rule: 'mustContain', detail: `"${word}" is nowhere in it` }));
}

function checkLength({ minLength }: InputRules, value: JsonValue): readonly Broken[] {
  if (minLength === undefined) return [];
  if (typeof value !== 'string')
    return [{ rule: 'minLength', detail: `is ${typeOf(value)}: only a text has a length` }];
  const length = lengthOf(value);
  return length >= minLength
    ? []
    : [{ rule: 'minLength', detail: `has ${length} characters, at least ${minLength} needed` }];
}

function checkCount({ minCount }: InputRules, value: JsonValue): readonly Broken[] {
  if (minCount === undefined) return [];
  if (!isList(value) && !isObject(value))
    return [
      { rule: 'minCount', detail: `is ${typeOf(value)}: only lists and objects can be counted` },
    ];
  const count = isList(value) ? value.length : Object.keys(value).length;
  return count >= minCount
    ? []
    : [{ rule: 'minCount', detail: `has ${count} entries, at least ${minCount} needed` }];
}
