import { contextAfter, contextFrom, did, recordContextEvent, specify } from '#testing';

import { type ContextCommand } from '../context.command.js';
import { contextDecider } from '../context.decider.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type NewContextEvent } from '../context.events.js';
import { renderLoops } from './loop.document.js';
import { CircuitOpenError } from './loop.errors.js';

const { given } = specify(contextDecider, recordContextEvent);

const subject = 'design_l1';
const created = did('ContextCreated', {});
const first = did('IterationStarted', { subject, max: 3 });
const next = did('IterationStarted', { subject });
const tripped = did('CircuitBreakerTripped', { subject, current: 3, max: 3 });
const reset = did('CircuitBreakerReset', { subject, reason: 'scope was cut' });
const iterate = { type: 'StartIteration', data: { subject } } as const;
const trip = { type: 'TripCircuitBreaker', data: { subject } } as const;
const resetting = { type: 'ResetCircuitBreaker', data: { subject } } as const;

const breakers = (...events: readonly NewContextEvent[]) =>
  renderLoops([...contextAfter(created, ...events).values()]);

describe('iterations', () => {
  it('are recorded up to the limit, which the first one records', () => {
    given(created).when(iterate).then(first);
    given(created, first).when(iterate).then(next);
    given(created, first, next).when(iterate).then(next);
  });

  it('have the limit of the workspace by default', () => {
    const limited = { ...iterate, maxIterations: 7 };
    given(created)
      .when(limited)
      .then(did('IterationStarted', { subject, max: 7 }));
    given(created, first).when(limited).then(next);
  });

  it('are refused at the limit, with a command that trips the circuit breaker', () => {
    const working = { ...iterate, visibility: 'working', maxIterations: 7 } as const;
    given(created, first, next, next)
      .when(working)
      .thenRefused(CircuitOpenError, {
        details: { subject, current: 3, max: 3 },
        consequence: {
          type: 'TripCircuitBreaker',
          data: { subject, max: 3 },
          visibility: 'working',
          maxIterations: 7,
        },
      });
  });

  it('are refused after a trip by anyone, without a further command', () => {
    const early = did('CircuitBreakerTripped', { subject, current: 1, max: 3 });
    given(created, first, early)
      .when(iterate)
      .thenRefused(CircuitOpenError, { consequence: undefined });
  });

  it('may lower the limit and never raise it', () => {
    const upTo = (max: number) => ({ ...iterate, data: { subject, max } });
    given(created, first)
      .when(upTo(2))
      .then(did('IterationStarted', { subject, max: 2 }));
    given(created, first).when(upTo(3)).then(next);
    for (const past of [[created], [created, first]])
      given(...past)
        .when(upTo(4))
        .thenRefused(RuleViolationError, { issues: [{ pointer: '/max' }] });
    given(created, first, next)
      .when(upTo(2))
      .thenRefused(CircuitOpenError, { consequence: { data: { subject, max: 2 } } });
  });

  it('count per subject', () => {
    const other = { ...iterate, data: { subject: 'task_001' } };
    given(created, first, next, next, tripped)
      .when(other)
      .then(did('IterationStarted', { subject: 'task_001', max: 3 }));
  });
});

describe('a circuit breaker', () => {
  it('is tripped once, also manually and before any iteration', () => {
    given(created, first, next, next).when(trip).then(tripped);
    given(created, first, next, next, tripped).when(trip).thenNothing();
    const byHand = { ...trip, data: { subject, reason: 'stop' }, maxIterations: 5 };
    given(created)
      .when(byHand)
      .then(did('CircuitBreakerTripped', { subject, current: 0, max: 5, reason: 'stop' }));
  });

  it('is reset once, to any limit', () => {
    const past = [created, first, next, next, tripped] as const;
    given(...past)
      .when(resetting)
      .then(did('CircuitBreakerReset', { subject }));
    given(...past, reset)
      .when(resetting)
      .thenNothing();
    const wider = { ...resetting, data: { subject, max: 5 } };
    given(...past, reset)
      .when(wider)
      .then(did('CircuitBreakerReset', { subject, max: 5 }));
    given(...past, did('CircuitBreakerReset', { subject, max: 5 }))
      .when(wider)
      .thenNothing();
  });

  it('counts from 0 again when it is reset before it tripped', () => {
    given(created, first).when(resetting).then(did('CircuitBreakerReset', { subject }));
  });

  it('does not exist for an unknown subject', () => {
    given(created)
      .when(resetting)
      .thenRefused(NotFoundError, { details: { kind: 'circuit breaker', id: subject } });
  });

  it('warns when the next iteration trips it', () => {
    expect(breakers(first)).toEqual({
      iterationCounts: { [subject]: 1 },
      circuitBreakers: { [subject]: { current: 1, max: 3, status: 'ok' } },
    });
    expect(breakers(first, next)).toMatchObject({
      circuitBreakers: { [subject]: { current: 2, max: 3, status: 'ok' } },
    });
    expect(breakers(first, next, next)).toMatchObject({
      circuitBreakers: { [subject]: { current: 3, max: 3, status: 'warning' } },
    });
  });

  it('shows author, time and reason of its latest trip or reset, and continues to count', () => {
    const by = { agentId: 'tester' };
    const upTo = [first, next, next, tripped] as const;
    expect(breakers(...upTo)).toEqual({
      iterationCounts: { [subject]: 3 },
      circuitBreakers: {
        [subject]: {
          current: 3,
          max: 3,
          status: 'tripped',
          ...by,
          timestamp: '2026-01-01T00:00:05.000Z',
          version: 5,
        },
      },
    });
    const wider = did('CircuitBreakerReset', { subject, reason: 'scope was cut', max: 5 });
    expect(breakers(...upTo, wider, next)).toEqual({
      iterationCounts: { [subject]: 4 },
      circuitBreakers: {
        [subject]: {
          current: 1,
          max: 5,
          status: 'ok',
          reason: 'scope was cut',
          ...by,
          timestamp: '2026-01-01T00:00:06.000Z',
          version: 6,
        },
      },
    });
  });

  it('continues with carried counts, including a trip', () => {
    const counts = { subject, total: 7, current: 2, max: 4 };
    const last = { agentId: 'ada', timestamp: '2026-01-01T00:00:00.000Z', reason: 'in circles' };
    const carried = did('IterationsCarried', { ...counts, tripped: true, ...last });
    expect(breakers(carried)).toEqual({
      iterationCounts: { [subject]: 7 },
      circuitBreakers: { [subject]: { current: 2, max: 4, status: 'tripped', ...last } },
    });
    given(created, carried).when(iterate).thenRefused(CircuitOpenError, { consequence: undefined });
    const going = did('IterationsCarried', { ...counts, tripped: false });
    given(created, going).when(iterate).then(next);
    expect(breakers(going, next, next)).toMatchObject({
      circuitBreakers: { [subject]: { current: 4, status: 'warning' } },
    });
  });

  it('never allows more iterations than its limit between two resets', () => {
    const create: ContextCommand = { type: 'CreateContext', data: {} };
    const iterations = Array.from({ length: 6 }, (): ContextCommand => iterate);
    const { events } = contextFrom([create, ...iterations, resetting, ...iterations]);
    const types = events.map(({ type }) => type);
    const run = ['IterationStarted', 'IterationStarted', 'IterationStarted'];
    expect(types).toEqual([
      'ContextCreated',
      ...run,
      'CircuitBreakerTripped',
      'CircuitBreakerReset',
      ...run,
      'CircuitBreakerTripped',
    ]);
  });
});
