import { DomainError } from '#event-sourcing';

import { type TripCircuitBreaker } from '../context.command.js';

/** The loop has reached its limit: a person has to reset its circuit breaker. */
export class CircuitOpenError extends DomainError<'circuit-open'> {
  readonly code = 'circuit-open';

  /** `consequence`: the command to execute because this one was refused. */
  constructor(
    readonly subject: string,
    { current, max }: Readonly<{ current: number; max: number }>,
    readonly consequence?: TripCircuitBreaker,
  ) {
    super(
      `"${subject}" has had ${current} of ${max} iterations: a person has to reset its circuit breaker`,
      { details: { subject, current, max } },
    );
  }
}

/** A restore to a version before the trip would reset the circuit breaker, which only a person may do. */
export class TrippedBreakerError extends DomainError<'circuit-open'> {
  readonly code = 'circuit-open';

  constructor(readonly subject: string) {
    super(`the circuit breaker of "${subject}" is tripped: a person has to reset it first`, {
      details: { subject },
    });
  }
}
