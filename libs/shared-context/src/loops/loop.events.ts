import { z } from 'zod';

import { defineClientEvent, defineServerEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { existingId, existingOrNewId, identifier, text } from '../payload.schema.js';

/** The default limit of a loop. */
export const defaultMaxIterations = 3;

export const maxIterations = z.int().min(1).max(1000);

const reason = text.max(10_000).optional();

const iterationStartedPayload = z.strictObject({
  subject: existingOrNewId,
  max: maxIterations.optional(),
});

/** The members that clients may send; the decider adds the counts of the loop. */
export const breakerToTrip = z.strictObject({ subject: existingOrNewId, reason });

const circuitBreakerResetPayload = z.strictObject({
  subject: existingId,
  reason,
  max: maxIterations.optional(),
});

/** `max`: the new limit, if it is the first one of the subject or lower than the previous one. */
const iterationStarted = defineClientEvent('IterationStarted', iterationStartedPayload, {
  line: ({ subject }) => `iteration of ${subject} started`,
  client: { command: 'StartIteration', payload: iterationStartedPayload },
});

/** After `current` of `max` iterations; no further iteration may start until a person resets the circuit breaker. */
const circuitBreakerTripped = defineClientEvent(
  'CircuitBreakerTripped',
  z.strictObject({ subject: existingOrNewId, current: z.int().min(0), max: maxIterations, reason }),
  {
    line: ({ subject, current, max, reason: why }) =>
      `circuit breaker of ${subject} tripped at ${current} of ${max}${optionalText(': ', why)}`,
    client: { command: 'TripCircuitBreaker', payload: breakerToTrip },
  },
);

/** Restarts the count of iterations at 0; `max`: the new limit. */
const circuitBreakerReset = defineClientEvent('CircuitBreakerReset', circuitBreakerResetPayload, {
  line: ({ subject, reason: why }) =>
    `circuit breaker of ${subject} reset${optionalText(': ', why)}`,
  client: { command: 'ResetCircuitBreaker', payload: circuitBreakerResetPayload },
});

/**
 * A restore or a fork continues with these counts instead of those at the restored or forked version. `agentId`,
 * `timestamp` and `version` are those of the latest trip or reset; `version` is present only in the context of that
 * event.
 */
export const iterationsCarried = defineServerEvent(
  'IterationsCarried',
  z.strictObject({
    subject: identifier,
    total: z.int().min(0),
    current: z.int().min(0),
    max: maxIterations,
    tripped: z.boolean(),
    agentId: z.string().optional(),
    timestamp: z.string().optional(),
    version: z.int().optional(),
    reason,
  }),
  {
    line: ({ subject, current, max, tripped }) =>
      // prose-ignore: text of views, whose bytes are pinned
      `loop of ${subject} goes on at ${current} of ${max}${tripped ? ', its breaker tripped' : ''}`,
  },
);

export const loopEvents = [
  iterationStarted,
  circuitBreakerTripped,
  circuitBreakerReset,
  iterationsCarried,
] as const;

export const loopItemKinds = [defineItemKind('loop')] as const;
