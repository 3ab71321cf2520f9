import { itemRef } from '../documents/item-ref.js';
import { defined } from '../json/defined.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { stages } from '../json/entry-order.js';
import { type SddReading } from './sdd-reading.js';

const order = [stages.current, 2] as const;
/** Statuses without current work on the phase and the task. */
const idle: ReadonlySet<string> = new Set(['completed', 'not_started', 'failed']);
/** Statuses that a context can also have, because of its events. */
const derived: ReadonlySet<string> = new Set(['in_progress', 'blocked', 'completed']);

/**
 * Reads the current phase and the current task; returns the number of tasks that it created. The rest of the state
 * follows from the rest of the document.
 */
export function readState(reading: SddReading): number {
  const part = reading.entry.member('current_state');
  if (!part) return 0;
  const state = stateIn(reading, part);
  const phases = startPhase(reading, state);
  const tasks = startTask(reading, state);
  reading.draft.claim(part, [...phases, ...tasks]);
  if (phases.length + tasks.length === 0 || !derived.has(state.status))
    reading.draft.note(
      part,
      'text',
      `the state "${state.status}" is not imported: it follows from the history`,
    );
  return tasks.length;
}

function stateIn({ draft }: SddReading, part: JsonPart): State {
  const entry = new JsonEntry(draft, part);
  const status = entry.text('status') ?? 'in_progress';
  const [phase, task] = [entry.text('phase'), entry.text('active_task')];
  const state = { part, status, agent: entry.agent('active_agent') };
  entry.finish();
  return idle.has(status)
    ? { ...state, phase: undefined, task: undefined }
    : { ...state, phase, task };
}

type State = Readonly<{
  part: JsonPart;
  status: string;
  agent: string | undefined;
  phase: string | undefined;
  task: string | undefined;
}>;

function startPhase({ draft, updatedAt }: SddReading, { part, phase, agent }: State) {
  if (phase === undefined) return [];
  const item = itemRef('phase', phase);
  const origin = { agentId: agent, timestamp: updatedAt };
  return draft.plan(part, { item, type: 'PhaseStarted', data: { phase }, origin, order })
    ? [item]
    : [];
}

/** The format has no tasks except the name of the active one. */
function startTask({ draft, updatedAt }: SddReading, { part, task, agent, status }: State) {
  if (task === undefined) return [];
  const item = itemRef('task', task);
  const origin = { agentId: agent, timestamp: updatedAt };
  const common = { item, origin, order };
  const planned = { taskId: task, title: task };
  if (!draft.plan(part, { ...common, type: 'TaskPlanned', data: planned })) return [];
  const started = defined({ taskId: task, agent });
  draft.plan(part, { ...common, type: 'TaskStarted', data: started });
  if (status === 'blocked') {
    const blocked = { taskId: task, reason: 'current_state.status: blocked' };
    draft.plan(part, { ...common, type: 'TaskBlocked', data: blocked });
  }
  return [item];
}
