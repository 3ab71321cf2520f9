import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { existingId, existingOrNewId, identifier, text } from '../payload.schema.js';

/** How often a loop may run before a person has to look, where nobody said otherwise. */
export const defaultMaxIterations = 3;

export const maxIterations = z.int().min(1).max(1000);

const reason = text.max(10_000).optional();

/** `max`: the limit from now on, where it is the first of its subject or lowers what there was. */
export const iterationStarted = defineEvent(
  'IterationStarted',
  z.strictObject({ subject: existingOrNewId, max: maxIterations.optional() }),
);

/** `current` of `max` iterations had been started; no further one until a person resets it. */
const circuitBreakerTripped = defineEvent(
  'CircuitBreakerTripped',
  z.strictObject({ subject: existingOrNewId, current: z.int().min(0), max: maxIterations, reason }),
);

/** Iterations count from 0 again; `max`: the limit from now on. */
export const circuitBreakerReset = defineEvent(
  'CircuitBreakerReset',
  z.strictObject({ subject: existingId, reason, max: maxIterations.optional() }),
);

/**
 * A restore or a fork goes on with these counts, whatever the loop had had at the version that it takes over. Who tripped
 * or reset the breaker last, and when; `version` only in the context where that was.
 */
export const iterationsCarried = defineEvent(
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
);

export const loopEvents = [
  iterationStarted,
  circuitBreakerTripped,
  circuitBreakerReset,
  iterationsCarried,
] as const;

/** What a client may state of a breaker that it trips: how far the loop is, the context knows. */
export const breakerToTrip = z.strictObject({ subject: existingOrNewId, reason });
