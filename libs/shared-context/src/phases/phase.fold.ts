import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { previousEnding } from '../ending.js';
import { type EventFolds } from '../event-fold.js';
import { type Item } from '../item.js';
import { asJson } from '../json.js';
import { millisecondsBetween } from '../time-span.js';
import { type PhaseStatus, phaseKey, phaseStatus } from './phase.item.js';

/** A phase is one item; its body is the payload of the newest completion. */
export const phaseFolds: EventFolds<'PhaseStarted' | 'PhaseCompleted'> = {
  PhaseStarted: {
    touches: ({ data }) => [phaseKey(data.phase)],
    fold: (event, current) => {
      const before = current('phase', event.data.phase);
      const state = { ...before?.state, ...startMembers(event, before), ...previousEnding(before) };
      return [{ ...phaseKey(event.data.phase), state, body: before?.body }];
    },
  },
  PhaseCompleted: {
    touches: ({ data }) => [phaseKey(data.phase)],
    fold: (event, current) => {
      const before = current('phase', event.data.phase);
      const state = { ...before?.state, ...completionMembers(event, before) };
      return [{ ...phaseKey(event.data.phase), state, body: asJson(event.data) }];
    },
  },
};

/** A start of a running phase changes its agent, but neither the number of starts nor the time. */
function startMembers(event: RecordedOf<'PhaseStarted'>, before: Item | undefined): JsonObject {
  const runs = phaseStatus(before) === 'started';
  return {
    ...is('started'),
    starts: numberIn(before, 'starts') + (runs ? 0 : 1),
    startedVersion: event.version,
    startedAt: runs ? orNull(before, 'startedAt') : happenedAt(event),
    agentId: event.data.agent ?? authorOf(event),
  };
}

/** `ranSince`: the start of the completed run; `spent`: the milliseconds of all completed runs. */
function completionMembers(
  event: RecordedOf<'PhaseCompleted'>,
  before: Item | undefined,
): JsonObject {
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
