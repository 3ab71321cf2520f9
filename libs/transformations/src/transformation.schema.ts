import { z } from 'zod';

import { type JsonValue } from '#event-sourcing';
import { reservedWords } from '#expressions';

import { transformationLimits } from './limits.js';

const id = z.string().min(1).max(256);
const path = z.string().min(1).max(256);
const expression = z.string().min(1).max(4_096);
/** Values that a case can match. Lists and objects never match. */
const scalar = z.custom<string | number | boolean | null>(
  (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value),
  'must be a text, a number, true, false or null',
);
const anyJson = z.custom<JsonValue>((value) => value !== undefined, 'is required');

const named = z.custom<object>((value) => objectFault(value) === undefined, {
  error: ({ input }) => objectFault(input),
});

const sourceName = z
  .string()
  .regex(/^[A-Za-z]\w{0,63}$/, 'must be a name that expressions can use: letters, digits and _')
  .refine((name) => !reservedWords.has(name), 'is reserved in expressions: use another name');

const trigger = z
  .strictObject({ step: id.optional(), agent: id.optional(), transformation: id.optional() })
  .refine((given) => Object.keys(given).length === 1, {
    error: 'exactly one of step, agent and transformation is required',
  });

/** An expression over the sources whose result is a number. */
const score = z.strictObject({ kind: z.literal('score'), expression });

/** An expression over the sources; its result, of any type, is the value. */
const compute = z.strictObject({ kind: z.literal('compute'), expression });

/** The value of the one source, unchanged. */
const propagate = z.strictObject({ kind: z.literal('propagate') });

/**
 * With ranges: the value of the first range whose `upTo` is not below the number `by`; the last range may omit `upTo`.
 * With cases: the value of the case that equals `by`, else `otherwise`.
 */
const select = z
  .strictObject({
    kind: z.literal('select'),
    by: expression,
    ranges: z
      .array(z.strictObject({ upTo: z.number().optional(), value: anyJson }))
      .min(1)
      .max(transformationLimits.ranges)
      .optional(),
    cases: z
      .array(z.strictObject({ is: scalar, value: anyJson }))
      .min(1)
      .max(transformationLimits.ranges)
      .optional(),
    otherwise: anyJson.optional(),
  })
  .refine(({ ranges, cases }) => (ranges === undefined) !== (cases === undefined), {
    error: 'needs either ranges of numbers or cases: [{ is, value }]',
  })
  .refine(({ ranges, otherwise }) => ranges === undefined || otherwise === undefined, {
    error: 'is allowed with cases only: with ranges, omit upTo in the last one',
    path: ['otherwise'],
  });

/**
 * For each element of the list in source `each`, `{ [eachAs]: element, [entriesAs]: matching entries }`. An entry of
 * the list in source `entries` matches if its member at `entryKey` equals the element's member at `eachKey` (without
 * `eachKey`, the element), or is a list that contains it; or if the expression `match` of `element` and `entry` is
 * true.
 */
const enrich = z
  .strictObject({
    kind: z.literal('enrich'),
    each: sourceName,
    eachKey: path.optional(),
    eachAs: id,
    entries: sourceName,
    entryKey: path.optional(),
    match: expression.optional(),
    entriesAs: id,
  })
  .refine(({ entryKey, match }) => (entryKey === undefined) !== (match === undefined), {
    error:
      'needs either entryKey, a path into an entry, or match, an expression of element and entry',
  })
  .refine(({ eachKey, match }) => eachKey === undefined || match === undefined, {
    error: 'is allowed with entryKey only: in match, use element and a path',
    path: ['eachKey'],
  });

/** A stored transformation: its trigger, its sources, its operation and its destinations. */
export const transformationDefinition = z
  .strictObject({
    description: z.string().max(4_096).optional(),
    /** If false, the transformation is stored, but does not run. */
    active: z.boolean().optional(),
    trigger,
    sources: named
      .refine(
        (sources: unknown) =>
          isWithin(Object.keys(sources ?? {}).length, transformationLimits.sources),
        `must have 1 to ${transformationLimits.sources} sources`,
      )
      .pipe(z.record(sourceName, path, { error: keyFault })),
    operation: z.discriminatedUnion('kind', [score, compute, propagate, select, enrich]),
    destinations: z.array(path).min(1).max(transformationLimits.destinations),
  })
  .refine(
    (definition) => JSON.stringify(definition).length <= transformationLimits.definitionLength,
    `must not exceed ${transformationLimits.definitionLength} characters`,
  );

export type TransformationDefinition = Readonly<z.output<typeof transformationDefinition>>;

export type Operation = TransformationDefinition['operation'];
export type OperationOf<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;

/** Refuses `__proto__`, which records of zod would drop silently. */
function objectFault(value: unknown): string | undefined {
  if (value === undefined) return 'is required: paths by the names that expressions use';
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object: paths by the names that expressions use';
  return Object.hasOwn(value, '__proto__') ? 'must not have a member "__proto__"' : undefined;
}

/** The fault of a name, which zod reports as an inner issue. */
function keyFault(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
}

function isWithin(count: number, maximum: number): boolean {
  return count >= 1 && count <= maximum;
}
