import { itemRef } from '../documents/item-ref.js';
import { defined } from '../json/defined.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { EntryOrder } from '../json/entry-order.js';
import { listIn } from './list-in.js';
import { readDecisions } from '../json/read-decisions.js';
import { readHandovers } from './read-handovers.js';
import { readReviews } from './read-reviews.js';
import { type CountedHistory, type SddReading } from './sdd-reading.js';

/** Reads the history, each event with its author and time. */
export function readHistory(reading: SddReading): Omit<CountedHistory, 'tasks'> {
  const phases = readPhases(reading);
  readDecisions(reading.draft, 'decisions', listIn(reading, 'decisions'));
  const reviews = readReviews(reading);
  readHandovers(reading);
  return { ...phases, ...reviews };
}

function readPhases(reading: SddReading): Pick<CountedHistory, 'phases' | 'iterations'> {
  const order = new EntryOrder();
  const phases = new Set<string>();
  const iterations: Record<string, number> = {};
  for (const element of listIn(reading, 'completed_phases')) {
    const { phase, count } = readPhase(reading, element, order);
    if (phase === undefined) continue;
    phases.add(phase);
    if (count !== undefined) iterations[phase] = count;
  }
  return { phases: phases.size, iterations };
}

/** A phase has a start event only if its entry has a start time. */
function readPhase({ draft }: SddReading, element: JsonPart, order: EntryOrder) {
  const entry = new JsonEntry(draft, element);
  const phase = entry.text('phase');
  const item = itemRef('phase', phase ?? '');
  const agentId = entry.agent('agent');
  const startedAt = entry.time('started_at');
  if (startedAt !== undefined)
    draft.plan(element, {
      item,
      type: 'PhaseStarted',
      data: { phase },
      origin: { agentId, timestamp: startedAt },
      order: order.next(startedAt),
    });
  const timestamp = entry.time('completed_at');
  const data = defined({ phase, outputs: entry.texts('outputs') });
  const count = entry.count('iterations');
  entry.finish();
  const isPlanned = draft.plan(element, {
    item,
    type: 'PhaseCompleted',
    data,
    origin: { agentId, timestamp },
    order: order.next(timestamp),
  });
  if (isPlanned) draft.claim(element, [item]);
  return { phase: isPlanned ? phase : undefined, count };
}
