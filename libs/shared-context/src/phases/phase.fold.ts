import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { previousEnding } from '../ending.js';
import { type EventFolds } from '../event-fold.js';
import { type Item } from '../item.js';
import { asJson } from '../json.js';
import { millisecondsBetween } from '../time-span.js';
import { type PhaseStatus, phaseKey, phaseStatus } from './phase.item.js';

/** A phase is one item, however often it runs; its body is the newest completion. */
export const phaseFolds: EventFolds<'PhaseStarted' | 'PhaseCompleted'> = {
  PhaseStarted: {
    touches: ({ data }) => [phaseKey(data.phase)],
    fold: (event, current) => {
      const before = current('phase', event.data.phase);
      const state = { ...before?.state, ...started(event, before), ...previousEnding(before) };
      return [{ ...phaseKey(event.data.phase), state, body: before?.body }];
    },
  },
  PhaseCompleted: {
    touches: ({ data }) => [phaseKey(data.phase)],
    fold: (event, current) => {
      const before = current('phase', event.data.phase);
      const state = { ...before?.state, ...completed(event, before) };
      return [{ ...phaseKey(event.data.phase), state, body: asJson(event.data) }];
    },
  },
};

/** Started again while it runs, it has not begun anew: it is another agent's. */
function started(event: RecordedOf<'PhaseStarted'>, before: Item | undefined): JsonObject {
  const runs = phaseStatus(before) === 'started';
  return {
    ...is('started'),
    starts: numberIn(before, 'starts') + (runs ? 0 : 1),
    startedVersion: event.version,
    startedAt: runs ? orNull(before, 'startedAt') : happenedAt(event),
    agentId: event.data.agent ?? authorOf(event),
  };
}

/** `ranSince`: when the run began that this completes; `spent`: milliseconds of all runs that are over. */
function completed(event: RecordedOf<'PhaseCompleted'>, before: Item | undefined): JsonObject {
  const runs = phaseStatus(before) === 'started';
  const ranSince = orNull(before, runs ? 'startedAt' : 'ranSince');
  const run = runs ? millisecondsBetween(ranSince, happenedAt(event)) : 0;
  return {
    ...is('completed'),
    starts: numberIn(before, 'starts'),
    version: event.version,
    ranSince,
    completedAt: happenedAt(event),
    completedBy: event.data.agent ?? authorOf(event),
    spent: numberIn(before, 'spent') + run,
  };
}

function is(status: PhaseStatus) {
  return { status };
}

function numberIn(item: Item | undefined, name: string): number {
  const value = item?.state[name];
  return typeof value === 'number' ? value : 0;
}

function orNull(item: Item | undefined, name: string): JsonValue {
  return item?.state[name] ?? null;
}
