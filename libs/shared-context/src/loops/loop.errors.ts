import { DomainError } from '#event-sourcing';

import { type TripCircuitBreaker } from '../context.command.js';

/** The loop has run as often as it may: a person has to look at it and reset its breaker. */
export class CircuitOpenError extends DomainError<'circuit-open'> {
  readonly code = 'circuit-open';

  /** `consequence`: what is to be asked of the context although, and because, this was refused. */
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

/** Going back to before a breaker tripped would reset it, and that is for people to do. */
export class TrippedBreakerError extends DomainError<'circuit-open'> {
  readonly code = 'circuit-open';

  constructor(readonly subject: string) {
    super(`the circuit breaker of "${subject}" is tripped: a person has to reset it first`, {
      details: { subject },
    });
  }
}
