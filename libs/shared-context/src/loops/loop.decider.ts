import { type CommandRules } from '../command-rule.js';
import { type StartIteration } from '../context.command.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { defined } from '../json.js';
import { CircuitOpenError } from './loop.errors.js';
import { defaultMaxIterations } from './loop.events.js';
import { type LoopFacts, findLoop, loopKey } from './loop.item.js';

export const loopRules: CommandRules<
  'StartIteration' | 'TripCircuitBreaker' | 'ResetCircuitBreaker'
> = {
  /**
   * Every accepted iteration is a new event. At the limit, an iteration is refused and trips the circuit breaker; then
   * all are refused until a person resets it.
   */
  StartIteration: {
    reads: ({ data }) => [loopKey(data.subject)],
    refersTo: ({ data }) => [{ pointer: '/subject', item: loopKey(data.subject) }],
    decide: (command, current) => {
      const { subject } = command.data;
      const before = findLoop(subject, current);
      if (before?.tripped) throw new CircuitOpenError(subject, before);
      const loop = withLimit(command, before);
      if (loop.current >= loop.max) throw new CircuitOpenError(subject, loop, trip(command, loop));
      const max = loop.max === before?.max ? undefined : loop.max;
      return [{ type: 'IterationStarted', data: defined({ subject, max }) }];
    },
  },
  TripCircuitBreaker: {
    reads: ({ data }) => [loopKey(data.subject)],
    refersTo: ({ data }) => [{ pointer: '/subject', item: loopKey(data.subject) }],
    decide: ({ data: { subject, reason, max }, maxIterations }, current) => {
      const before = findLoop(subject, current) ?? unknownLoop(maxIterations);
      if (before.tripped) return [];
      const facts = { subject, current: before.current, max: max ?? before.max, reason };
      return [{ type: 'CircuitBreakerTripped', data: defined(facts) }];
    },
  },
  ResetCircuitBreaker: {
    reads: ({ data }) => [loopKey(data.subject)],
    names: ({ data }) => [loopKey(data.subject)],
    decide: ({ data }, current) => {
      const loop = findLoop(data.subject, current);
      if (!loop) throw new NotFoundError('circuit breaker', data.subject);
      return isReset(data.max, loop) ? [] : [{ type: 'CircuitBreakerReset', data }];
    },
  },
};

function unknownLoop(max = defaultMaxIterations): LoopFacts {
  return { total: 0, current: 0, max, tripped: false };
}

/** A loop with the limit that an iteration states: it may lower the limit of the loop, but not raise it. */
function withLimit(
  { data, maxIterations }: StartIteration,
  before: LoopFacts | undefined,
): LoopFacts {
  const loop = before ?? unknownLoop(maxIterations);
  const { max = loop.max } = data;
  if (max > loop.max)
    throw new RuleViolationError(
      '/max',
      `must not exceed the limit of ${loop.max}: a person can raise it by resetting the circuit breaker`,
    );
  return { ...loop, max };
}

function trip(
  { data: { subject }, visibility, maxIterations }: StartIteration,
  { max }: LoopFacts,
) {
  return { type: 'TripCircuitBreaker', data: { subject, max }, visibility, maxIterations } as const;
}

function isReset(max: number | undefined, loop: LoopFacts): boolean {
  return !loop.tripped && loop.current === 0 && (max === undefined || max === loop.max);
}
