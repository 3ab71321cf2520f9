import { type RecordedContextEvent, authorOf, happenedAt } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemLookup } from '../item.js';
import { asJson, defined } from '../json.js';
import { defaultMaxIterations } from './loop.events.js';
import { type LoopFacts, findLoop, loopKey } from './loop.item.js';

/** A loop is one item; its body is the payload of the newest trip or reset. */
export const loopFolds: EventFolds<
  'IterationStarted' | 'CircuitBreakerTripped' | 'CircuitBreakerReset' | 'IterationsCarried'
> = {
  IterationStarted: {
    touches: ({ data }) => [loopKey(data.subject)],
    fold: (event, current) => {
      const { subject, max } = event.data;
      const loop = loopOf(subject, current);
      const { state, body } = current('loop', subject) ?? {};
      const counts = { total: loop.total + 1, current: loop.current + 1, max: max ?? loop.max };
      return [{ ...loopKey(subject), state: { ...loop, ...state, ...counts }, body }];
    },
  },
  CircuitBreakerTripped: {
    touches: ({ data }) => [loopKey(data.subject)],
    fold: (event, current) => {
      const { subject, max } = event.data;
      const state = { ...loopOf(subject, current), ...by(event), max, tripped: true };
      return [{ ...loopKey(subject), state, body: asJson(event.data) }];
    },
  },
  CircuitBreakerReset: {
    touches: ({ data }) => [loopKey(data.subject)],
    fold: (event, current) => {
      const { subject, max } = event.data;
      const loop = loopOf(subject, current);
      const state = { ...loop, ...by(event), current: 0, max: max ?? loop.max, tripped: false };
      return [{ ...loopKey(subject), state, body: asJson(event.data) }];
    },
  },
  IterationsCarried: {
    touches: ({ data }) => [loopKey(data.subject)],
    fold: ({ data: { subject, reason, ...state } }) => {
      const body = asJson(defined({ subject, reason }));
      return [{ ...loopKey(subject), state: asJson(state), body }];
    },
  },
};

function loopOf(subject: string, current: ItemLookup): LoopFacts {
  const unknown = { total: 0, current: 0, max: defaultMaxIterations, tripped: false };
  return findLoop(subject, current) ?? unknown;
}

/** Author, time and version of a trip or reset. */
function by(event: RecordedContextEvent) {
  return { agentId: authorOf(event), timestamp: happenedAt(event), version: event.version };
}
