import { z } from 'zod';

/** How a query parameter is documented; the schema itself reads text. */
type Documented = Readonly<Record<string, string | number | boolean>>;

const defaultLimit = 50;
const maxLimit = 500;

/** `limit` and `cursor` of every list. */
export const pageQuery = {
  limit: wholeNumber(
    { minimum: 1, maximum: maxLimit, default: defaultLimit },
    'How many items at most',
  ).default(defaultLimit),
  cursor: z.string().optional().meta({ description: 'The nextCursor of the page before' }),
};

/** A version, an RFC 3339 time with offset, or absent for now; what it is decides the query behind it. */
export const asOfQuery = {
  asOf: z.string().optional().meta({
    description: 'A version, or an RFC 3339 time with offset; no version inside one write',
  }),
};

const longestWait = 60;

/** Holds an empty answer back until there is something to say. */
export const waitQuery = {
  wait: wholeNumber(
    { minimum: 0, maximum: longestWait },
    'Seconds to wait for the first one, answered as soon as it is there',
  ).optional(),
};

/** Of a request that an active run stands in the way of. */
export const cancelRunQuery = {
  cancelRun: z.enum(['true', 'false']).optional().meta({
    description:
      'Whether an active run is cancelled first; without it, the request is refused. Needs the audience "all"',
  }),
};

export function cancelsRun({ cancelRun }: Readonly<{ cancelRun?: string | undefined }>): boolean {
  return cancelRun === 'true';
}

/** A place in a context's history; what it is decides the query behind it. */
export function position(description: string) {
  return z.string().meta({ description });
}

export const audienceName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
  error:
    'must be 1 to 64 of the characters a-z, 0-9, ".", "_" and "-", the first a letter or digit',
});

/** For whom to read; what the key may name decides the query behind it. */
export const audienceQuery = {
  audience: audienceName.optional().meta({
    description: 'The audience to read for: one the key is bound to, by default the first',
  }),
};

export function wholeNumber(
  range: Readonly<{ minimum: number; maximum: number; default?: number }>,
  description: string,
) {
  const { minimum, maximum } = range;
  const documented: Documented = { type: 'integer', ...range, description };
  return z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= minimum && number <= maximum, `must be ${minimum} to ${maximum}`)
    .meta({ documented });
}

export function flag(description: string) {
  const documented: Documented = { type: 'boolean', description };
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ documented });
}

/** A parameter that may be given more than once; read as the list of its values. */
export function severalTexts(description: string) {
  const documented = { type: 'array', items: { type: 'string' }, description };
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .meta({ documented });
}
