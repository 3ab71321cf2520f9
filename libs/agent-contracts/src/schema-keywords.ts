import { contractLimits } from './limits.js';
import { closest } from './closest.js';
import { holdsList, holdsNamed, holdsOne, isRecord } from './subschemas.js';

/** Returns the fault of a keyword's value, and what to write instead; undefined if the value is valid. */
type Rule = (value: unknown) => string | undefined;

const valueTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

const anything: Rule = () => undefined;
const count = must('must be a whole number, 0 or more', (value) => isCount(value));
const number = must('must be a number', (value) => typeof value === 'number');
const bound = must(
  'must be a number: write the bound itself instead of true (draft 4)',
  (value) => typeof value === 'number',
);
const trueOrFalse = must('must be true or false', (value) => typeof value === 'boolean');
const text = (maximum: number) =>
  must(`must be text of at most ${maximum} characters`, (value) => isText(value, maximum));

/** The rules for the values of all keywords. */
const rules: Readonly<Record<string, Rule>> = {
  $ref: must(
    'must be "#" or "#/$defs/<name>": put the schema that it refers to into $defs',
    (value) => typeof value === 'string' && /^#(\/(\$defs|definitions)\/[^/]+)?$/.test(value),
  ),
  type: must(`must be one of ${valueTypes.join(', ')}, or a list of some of them`, isType),
  enum: must(
    'must be a list of 1 to 256 values',
    (value) => Array.isArray(value) && value.length > 0 && value.length <= 256,
  ),
  const: anything,
  required: must(
    `must be a list of at most ${contractLimits.schemaNodes} names of at most 256 characters`,
    (value) =>
      Array.isArray(value) &&
      value.length <= contractLimits.schemaNodes &&
      value.every((name) => isText(name, 256)),
  ),
  minProperties: count,
  maxProperties: count,
  minItems: count,
  maxItems: count,
  minLength: count,
  maxLength: count,
  uniqueItems: trueOrFalse,
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: must('must be a number above 0', (value) => typeof value === 'number' && value > 0),
  pattern: must('must be a regular expression as text', (value) => typeof value === 'string'),
  title: text(1_000),
  description: text(10_000),
  ...each(holdsOne, anything),
  ...each(
    holdsList,
    must(
      'must be a list of schemas, of one at least',
      (value) => Array.isArray(value) && value.length > 0,
    ),
  ),
  ...each(holdsNamed, namedFault),
  // Annotations for people and other tools; checks ignore them.
  ...each(
    ['$schema', '$id', 'id', '$comment', 'format', 'default', 'example', 'examples'],
    anything,
  ),
  ...each(['deprecated', 'readOnly', 'writeOnly', 'discriminator'], anything),
  ...each(['contentEncoding', 'contentMediaType', 'contentSchema'], anything),
};

const instead: Readonly<Record<string, string>> = {
  ...each(
    ['if', 'then', 'else', 'dependentSchemas', 'dependentRequired', 'dependencies'],
    'write the cases as alternatives of anyOf',
  ),
  ...each(
    ['contains', 'minContains', 'maxContains'],
    'say with items what every entry must be like',
  ),
  unevaluatedProperties: 'write additionalProperties next to the properties',
  unevaluatedItems: 'write items next to prefixItems',
  ...each(
    ['$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$recursiveAnchor'],
    'write "$ref": "#/$defs/<name>"',
  ),
  nullable: 'add "null" to type, or write anyOf with { "type": "null" }',
};

/** The fault of a member of a schema, without the faults of inner schemas. */
export function keywordFault(keyword: string, value: unknown): string | undefined {
  if (keyword.startsWith('x-')) return undefined;
  return Object.hasOwn(rules, keyword) ? rules[keyword]?.(value) : unknownFault(keyword);
}

/** The keyword that an unknown one probably means; undefined if none is similar. */
export function meantKeyword(keyword: string): string | undefined {
  const isKnown = [rules, instead].some((known) => Object.hasOwn(known, keyword));
  return isKnown || keyword.startsWith('x-') ? undefined : closest(keyword, Object.keys(rules));
}

function namedFault(value: unknown): string | undefined {
  if (!isRecord(value)) return 'must be an object of schemas by name';
  if (Object.hasOwn(value, '__proto__')) return 'must not have a member "__proto__"';
  return Object.keys(value).every((name) => name.length <= 256)
    ? undefined
    : 'must not have names longer than 256 characters';
}

function unknownFault(keyword: string): string {
  const write = Object.hasOwn(instead, keyword) ? instead[keyword] : undefined;
  if (write !== undefined) return `is not checked here: ${write}`;
  const meant = meantKeyword(keyword);
  return meant === undefined
    ? 'is not a keyword of schemas: leave it out, or begin its name with "x-" if another tool reads it'
    : `is not a keyword of schemas: write "${meant}"`;
}

function must(detail: string, fits: (value: unknown) => boolean): Rule {
  return (value) => (fits(value) ? undefined : detail);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown, maximum: number): boolean {
  return typeof value === 'string' && value.length <= maximum;
}

function isType(value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isCountFine = types.length > 0 && types.length <= valueTypes.length;
  return isCountFine && types.every((type) => valueTypes.includes(String(type)));
}

function each<Value>(keywords: Iterable<string>, value: Value): Record<string, Value> {
  return Object.fromEntries(Array.from(keywords, (keyword) => [keyword, value]));
}
