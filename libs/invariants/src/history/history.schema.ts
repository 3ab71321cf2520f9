import { z } from 'zod';

/** The version of the format; histories of other versions are refused. */
export const historyFormat = 1;

const text = z.string().min(1);
const count = z.number().int().min(0);
/** Microseconds on the monotonic clock of the machine; a return time is null if the operation never returned. */
const instant = z.number().nonnegative();

const runLine = z.strictObject({
  kind: z.literal('run'),
  history: z.literal(historyFormat),
  scenario: text,
  seed: z.number().int(),
});

const appendLine = z.strictObject({
  kind: z.literal('append'),
  client: text,
  stream: text,
  inv: instant,
  ret: instant.nullable(),
  /** The timeout of the caller, counted from `inv`. */
  deadlineMs: z.number().positive().optional(),
  /** The idempotency key; attempts with the same key are one command. */
  key: text.optional(),
  /** The expected version; 0 if the stream must not exist. */
  expected: count.optional(),
  count: z.number().int().min(1),
  outcome: z.enum(['ok', 'conflict', 'refused', 'unknown']),
  /** The version of the last event. */
  version: z.number().int().min(1).optional(),
  /** In the order of their versions, if the caller knows the ids. */
  eventIds: z.array(text).optional(),
  /** The version that the conflict reported. */
  actual: count.optional(),
  /** The code that the refusal reported. */
  code: z.string().optional(),
});

const readLine = z.strictObject({
  kind: z.literal('read'),
  client: text,
  stream: text,
  inv: instant,
  ret: instant.nullable(),
  deadlineMs: z.number().positive().optional(),
  outcome: z.enum(['ok', 'refused', 'unknown']),
  /** The version that was read; 0 if there was no stream. */
  version: count.optional(),
});

const deliveryLine = z.strictObject({
  kind: z.literal('delivery'),
  subscriber: text,
  /** Incremented when a subscriber restarts after a failure; it may then receive the same events again. */
  session: count,
  at: instant,
  events: z.array(z.strictObject({ position: text, stream: text, version: count, eventId: text })),
});

const processLine = z.strictObject({
  kind: z.literal('process'),
  name: text,
  pid: z.number().int(),
  /** `test`: killed or stopped by the test; `itself`: it ended unexpectedly. */
  endedBy: z.enum(['test', 'itself']),
  signal: z.string().nullable(),
  code: z.number().int().nullable(),
});

const effectLine = z.strictObject({
  kind: z.literal('effect'),
  effect: text,
  events: count,
  times: count,
});

const endLine = z.strictObject({
  kind: z.literal('end'),
  at: instant,
  figures: z.record(z.string(), z.union([z.number(), z.string()])),
});

/** One line of a history. */
export const historyLine = z.discriminatedUnion('kind', [
  runLine,
  appendLine,
  readLine,
  deliveryLine,
  processLine,
  effectLine,
  endLine,
]);

export type HistoryLine = Readonly<z.output<typeof historyLine>>;
export type RunLine = Extract<HistoryLine, { kind: 'run' }>;
export type AppendLine = Extract<HistoryLine, { kind: 'append' }>;
export type ReadLine = Extract<HistoryLine, { kind: 'read' }>;
export type DeliveryLine = Extract<HistoryLine, { kind: 'delivery' }>;
export type ProcessLine = Extract<HistoryLine, { kind: 'process' }>;
export type EffectLine = Extract<HistoryLine, { kind: 'effect' }>;
