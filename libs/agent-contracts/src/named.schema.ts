import { z } from 'zod';

const name = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** A name in a contract; such names need no quotes in a path. */
export const contractName = z
  .string()
  .regex(name, 'must begin with a letter and be 1 to 64 letters, digits, "_" and "-"');

/** An object whose members all have one schema. It refuses names that zod would drop silently. */
export function named<Schema extends z.ZodType>(
  keys: z.ZodType<string, string>,
  values: Schema,
  maximum: number,
) {
  return (
    z
      .custom<object>((value) => objectFault(value) === undefined, {
        error: ({ input }) => objectFault(input),
      })
      // Checked before the members are parsed, as there may be very many.
      .refine(
        (members: unknown) => Object.keys(members ?? {}).length <= maximum,
        `takes at most ${maximum}`,
      )
      .pipe(z.record(keys, values, { error: keyFault }))
  );
}

/** Refuses `__proto__`, which records of zod would drop silently. */
function objectFault(value: unknown): string | undefined {
  if (value === undefined) return 'is required';
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object';
  return Object.hasOwn(value, '__proto__') ? 'must not have a member "__proto__"' : undefined;
}

/** The fault of a name, which zod reports as an inner issue. */
function keyFault(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
}
