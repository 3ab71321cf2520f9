import { z } from 'zod';

const name = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** What inputs, outputs and measures are called in a contract: such names need no quotes in a path. */
export const contractName = z
  .string()
  .regex(name, 'must begin with a letter and be 1 to 64 letters, digits, "_" and "-"');

/** An object whose members all fit one schema, under names of any kind of which none is dropped in silence. */
export function named<Schema extends z.ZodType>(
  keys: z.ZodType<string, string>,
  values: Schema,
  most: number,
) {
  return (
    z
      .custom<object>((value) => objectFault(value) === undefined, {
        error: ({ input }) => objectFault(input),
      })
      // Before the members are parsed: there may be very many.
      .refine(
        (members: unknown) => Object.keys(members ?? {}).length <= most,
        `takes at most ${most}`,
      )
      .pipe(z.record(keys, values, { error: keyFault }))
  );
}

/** Records of zod leave `__proto__` out without a word. */
function objectFault(value: unknown): string | undefined {
  if (value === undefined) return 'is required';
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object';
  return Object.hasOwn(value, '__proto__') ? 'must not have a member "__proto__"' : undefined;
}

/** What is wrong with a name, which zod leaves in the issues below its own. */
function keyFault(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
}
