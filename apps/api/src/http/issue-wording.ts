import { type z } from 'zod';

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

type Wordings = {
  [Code in z.core.$ZodIssueCode]?: (
    issue: z.core.$ZodRawIssue<Extract<z.core.$ZodIssue, { code: Code }>>,
  ) => string | undefined;
};

const wordings: Wordings = {
  invalid_type: ({ input, expected }) =>
    input === undefined ? 'is required' : `must be ${nouns[expected] ?? expected}`,
  invalid_value: ({ values }) => `must be ${listed(values)}`,
  invalid_union: (issue) => ('options' in issue ? `must be ${listed(issue.options)}` : undefined),
  unrecognized_keys: () => 'is not known here',
  too_small: ({ inclusive, minimum, origin }) =>
    `must be ${inclusive ? 'at least' : 'more than'} ${counted(minimum, origin)}`,
  too_big: ({ inclusive, maximum, origin }) =>
    `must be ${inclusive ? 'at most' : 'less than'} ${counted(maximum, origin)}`,
};

/** What is wrong, for whoever sent it; undefined leaves it to the schema library. */
export function wordingOf(issue: z.core.$ZodRawIssue): string | undefined {
  // Keyed by the code, so issue and wording belong together.
  const wording = wordings[issue.code] as
    ((issue: z.core.$ZodRawIssue) => string | undefined) | undefined;
  return wording?.(issue);
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
