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
