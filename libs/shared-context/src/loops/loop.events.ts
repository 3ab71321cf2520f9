import { z } from 'zod';

import { defineClientEvent, defineServerEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { existingId, existingOrNewId, identifier, text } from '../payload.schema.js';

/** How often a loop may run before a person has to look, where nobody said otherwise. */
export const defaultMaxIterations = 3;

export const maxIterations = z.int().min(1).max(1000);

const reason = text.max(10_000).optional();

const iterationStartedPayload = z.strictObject({
  subject: existingOrNewId,
  max: maxIterations.optional(),
});

/** The members of a tripped breaker that clients state; the context knows how far the loop is. */
export const breakerToTrip = z.strictObject({ subject: existingOrNewId, reason });

const circuitBreakerResetPayload = z.strictObject({
  subject: existingId,
  reason,
  max: maxIterations.optional(),
});

/** `max`: the limit from now on, where it is the first of its subject or lowers what there was. */
const iterationStarted = defineClientEvent('IterationStarted', iterationStartedPayload, {
  line: ({ subject }) => `iteration of ${subject} started`,
  client: { command: 'StartIteration', payload: iterationStartedPayload },
});

/** `current` of `max` iterations had been started; no further one until a person resets it. */
const circuitBreakerTripped = defineClientEvent(
  'CircuitBreakerTripped',
  z.strictObject({ subject: existingOrNewId, current: z.int().min(0), max: maxIterations, reason }),
  {
    line: ({ subject, current, max, reason: why }) =>
      `circuit breaker of ${subject} tripped at ${current} of ${max}${optionalText(': ', why)}`,
    client: { command: 'TripCircuitBreaker', payload: breakerToTrip },
  },
);

/** Iterations count from 0 again; `max`: the limit from now on. */
const circuitBreakerReset = defineClientEvent('CircuitBreakerReset', circuitBreakerResetPayload, {
  line: ({ subject, reason: why }) =>
    `circuit breaker of ${subject} reset${optionalText(': ', why)}`,
  client: { command: 'ResetCircuitBreaker', payload: circuitBreakerResetPayload },
});

/**
 * A restore or a fork goes on with these counts, whatever the loop had had at the version that it takes over. Who tripped
 * or reset the breaker last, and when; `version` only in the context where that was.
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
