import { z } from 'zod';

import { contextId } from '#shared-context';

/** The documented schema of a query parameter; the zod schema itself parses text. */
type ParameterSchema = Readonly<Record<string, string | number | boolean>>;

const defaultLimit = 50;
const maxLimit = 500;

/** `limit` and `cursor` of every list. */
export const pageQuery = {
  limit: wholeNumber(
    { minimum: 1, maximum: maxLimit, default: defaultLimit },
    'The maximum number of items',
  ).default(defaultLimit),
  cursor: z.string().optional().meta({ description: 'The `nextCursor` of the previous page' }),
};

/** The parameters of lists of open work. */
export const workListQuery = z.strictObject({
  status: z.literal('open').default('open'),
  contextId: contextId.optional().meta({ description: 'Restricts the list to this context' }),
  ...pageQuery,
});

/** A version, an RFC 3339 time with offset, or absent for the current version; the query handler parses it. */
export const asOfQuery = {
  asOf: z.string().optional().meta({
    description:
      'A version, or an RFC 3339 time with offset; not a version in the middle of one write',
  }),
};

const maxWaitSeconds = 60;

/** Delays an empty answer until there is content. */
export const waitQuery = {
  wait: wholeNumber(
    { minimum: 0, maximum: maxWaitSeconds },
    'Seconds to wait if there is no content; the answer is sent as soon as there is some',
  ).optional(),
};

/** For requests that an active run prevents. */
export const cancelRunQuery = {
  cancelRun: z.enum(['true', 'false']).optional().meta({
    description:
      'Whether to cancel an active run first; otherwise an active run makes the server refuse the request. Needs the audience "all"',
  }),
};

export function cancelsRun({ cancelRun }: Readonly<{ cancelRun?: string | undefined }>): boolean {
  return cancelRun === 'true';
}

/** A version or a time in the history of a context; the query handler parses it. */
export function position(description: string) {
  return z.string().meta({ description });
}

export const audienceName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
  error:
    'must be 1 to 64 of the characters a-z, 0-9, ".", "_" and "-", the first a letter or digit',
});

/** The audience to read for; the query handler checks that the key may name it. */
export const audienceQuery = {
  audience: audienceName.optional().meta({
    description: 'The audience to read for: one that the key is bound to, by default the first',
  }),
};

export function wholeNumber(
  range: Readonly<{ minimum: number; maximum: number; default?: number }>,
  description: string,
) {
  const { minimum, maximum } = range;
  const documented: ParameterSchema = { type: 'integer', ...range, description };
  return z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= minimum && number <= maximum, `must be ${minimum} to ${maximum}`)
    .meta({ documented });
}

export function flag(description: string) {
  const documented: ParameterSchema = { type: 'boolean', description };
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ documented });
}

/** A parameter that may be repeated; parsed to the list of its values. */
export function severalTexts(description: string) {
  const documented = { type: 'array', items: { type: 'string' }, description };
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .meta({ documented });
}
