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
 * Passed to `parse` or `safeParse` if a person reads the issues: they state what is wrong and what is expected. Messages that a
 * schema defines itself are kept.
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
  custom: () => 'is not allowed here: see the reference for what is',
  invalid_value: ({ values }) => `must be ${listed(values)}`,
  invalid_union: (issue) =>
    'options' in issue ? `must be ${listed(issue.options)}` : oneOf(issue.errors),
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
    `must be ${inclusive ? 'at least' : 'more than'} ${counted(minimum, origin)}`,
  too_big: ({ inclusive, maximum, origin }) =>
    `must be ${inclusive ? 'at most' : 'less than'} ${counted(maximum, origin)}`,
};

function wordingOf(issue: z.core.$ZodRawIssue): string | undefined {
  // Keyed by the code, so issue and wording belong together.
  const wording = wordings[issue.code] as
    | ((issue: z.core.$ZodRawIssue) => string | undefined)
    | undefined;
  return wording?.(issue);
}

/** Members that an object of a schema must have. */
function requiredOf(schema: z.core.$ZodRawIssue['inst']): readonly string[] {
  const def = schema?._zod.def;
  if (!def || !('shape' in def)) return [];
  // The one kind of schema with a shape.
  const { shape } = def as z.core.$ZodObjectDef;
  return Object.keys(shape).filter((name) => shape[name]?._zod.optin !== 'optional');
}

/** Nobody would read more. */
const maxNamed = 4;

function withMembers(names: readonly string[]): string {
  if (names.length === 0 || names.length > maxNamed) return '';
  const [last = '', ...others] = names.toReversed();
  return ` with ${others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : last}`;
}

/** What is wrong with a value by each of the forms that it may have: mostly that it is of another type. */
function oneOf(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const wrong = forms.flatMap(([first]) => first?.message ?? []);
  return [...new Set(wrong)].join(', or ');
}

function counted(count: number | bigint, origin: string): string {
  const unit = { string: 'character', array: 'entry' }[origin];
  if (unit === undefined) return String(count);
  return Number(count) === 1 ? `1 ${unit}` : `${count} ${unit.replace(/y$/, 'ie')}s`;
}

function listed(values: unknown): string {
  const shown = (Array.isArray(values) ? values : []).map((value) =>
    typeof value === 'string' ? `"${value}"` : String(value),
  );
  return shown.length > 1 ? `one of ${shown.join(', ')}` : shown.join();
}
