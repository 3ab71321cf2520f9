import { type z } from 'zod';

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  never: 'left out',
};

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time in RFC 3339 with an offset, such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  uuid: 'a UUID',
  url: 'a URL',
  email: 'an e-mail address',
};

/**
 * Pass this to `parse` or `safeParse` if a person reads the issues: their messages state the expected value. Messages
 * that a schema defines itself stay unchanged.
 */
export const inWords: z.core.ParseContext<z.core.$ZodIssue> = { error: wordingOf };

type Wordings = {
  [Code in z.core.$ZodIssueCode]?: (
    issue: z.core.$ZodRawIssue<Extract<z.core.$ZodIssue, { code: Code }>>,
  ) => string | undefined;
};

const wordings: Wordings = {
  invalid_type: ({ input, expected, inst }) =>
    input === undefined
      ? 'is required'
      : `must be ${nouns[expected] ?? expected}${withMembers(requiredOf(inst))}`,
  custom: () => 'is not allowed here: see the reference for the allowed values',
  invalid_value: ({ values }) => `must be ${alternatives(values)}`,
  invalid_union: (issue) =>
    'options' in issue ? `must be ${alternatives(issue.options)}` : oneOf(issue.errors),
  unrecognized_keys: () => 'is not known here',
  invalid_format: ({ format, pattern }) =>
    format === 'regex'
      ? `must match ${pattern}`
      : `must be ${formats[format] ?? `text of the form "${format}"`}`,
  invalid_key: ({ issues: [first] }) => `has a name that is not allowed: it ${first?.message}`,
  invalid_element: ({ issues: [first] }) =>
    `has an entry that is not allowed: it ${first?.message}`,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  too_small: ({ inclusive, minimum, origin }) =>
    `must be ${inclusive ? 'at least' : 'more than'} ${withUnit(minimum, origin)}`,
  too_big: ({ inclusive, maximum, origin }) =>
    `must be ${inclusive ? 'at most' : 'less than'} ${withUnit(maximum, origin)}`,
};

function wordingOf(issue: z.core.$ZodRawIssue): string | undefined {
  // The table is keyed by code, so the wording accepts this issue.
  const wording = wordings[issue.code] as
    | ((issue: z.core.$ZodRawIssue) => string | undefined)
    | undefined;
  return wording?.(issue);
}

/** The required members of an object schema. */
function requiredOf(schema: z.core.$ZodRawIssue['inst']): readonly string[] {
  const def = schema?._zod.def;
  if (!def || !('shape' in def)) return [];
  // Only object schemas have a shape.
  const { shape } = def as z.core.$ZodObjectDef;
  return Object.keys(shape).filter((name) => shape[name]?._zod.optin !== 'optional');
}

/** Longer lists of names do not help the reader of a message. */
const maxNamed = 4;

function withMembers(names: readonly string[]): string {
  if (names.length === 0 || names.length > maxNamed) return '';
  const [last = '', ...others] = names.toReversed();
  return ` with ${others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : last}`;
}

/** The faults of a value for each alternative of a union, which are mostly wrong types. */
function oneOf(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const wrong = forms.flatMap(([first]) => first?.message ?? []);
  return [...new Set(wrong)].join(', or ');
}

function withUnit(count: number | bigint, origin: string): string {
  const unit = { string: 'character', array: 'entry' }[origin];
  if (unit === undefined) return String(count);
  return Number(count) === 1 ? `1 ${unit}` : `${count} ${unit.replace(/y$/, 'ie')}s`;
}

function alternatives(values: unknown): string {
  const shown = (Array.isArray(values) ? values : []).map((value) =>
    typeof value === 'string' ? `"${value}"` : String(value),
  );
  return shown.length > 1 ? `one of ${shown.join(', ')}` : shown.join();
}
