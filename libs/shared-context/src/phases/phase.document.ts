import { type JsonObject, isJsonObject } from '#event-sourcing';

import { listSchema, memberPart } from '../document-part.js';
import { type Item, type ItemLookup } from '../item.js';
import { member } from '../json.js';
import { shownVersion } from '../shown-version.js';
import { phaseStatus } from './phase.item.js';

export const completedPhasesPart = memberPart('completedPhases', {
  schema: listSchema.meta({
    description: 'Completed phases, ordered by their newest completion, oldest first',
  }),
  searched: { shape: 'list', except: ['iterations'] },
  kinds: ['phase', 'loop'],
  listed: [{ kind: 'phase', list: 'phases', render: renderPhase }],
  render: (items, { current }) => renderCompletedPhases(items, current),
});

/** The newest run of a phase, its number of starts, and the outputs of its newest completion. */
function renderPhase(item: Item): JsonObject {
  const { starts = 0 } = item.state;
  return { phase: item.key, ...newestRun(item), starts, outputs: outputsOf(item) };
}

/**
 * The completed phases, ordered by their newest completion. `iterations`: the iterations of the loop with the name of
 * the phase or, without one, the number of starts.
 */
function renderCompletedPhases(items: readonly Item[], current: ItemLookup): JsonObject[] {
  return completedPhases(items).map((item) => ({
    phase: item.key,
    agent: item.state['completedBy'] ?? null,
    startedAt: item.state['ranSince'] ?? null,
    completedAt: item.state['completedAt'] ?? null,
    iterations: iterationsOf(item, current),
    outputs: outputsOf(item),
    version: shownVersion(completionOf(item)),
  }));
}

/** Phases that were completed at least once, even if they run again. */
export function completedPhases(items: readonly Item[]): readonly Item[] {
  return items
    .filter(({ kind, state }) => kind === 'phase' && typeof state['version'] === 'number')
    .toSorted((left, right) => completionOf(left) - completionOf(right));
}

function completionOf({ state }: Item): number {
  return Number(state['version']);
}

function iterationsOf({ key, state }: Item, current: ItemLookup): number {
  return Number(current('loop', key)?.state['total'] ?? state['starts'] ?? 0);
}

function outputsOf({ body }: Item) {
  return (isJsonObject(body) ? member(body, 'outputs') : undefined) ?? [];
}

function newestRun(item: Item): JsonObject {
  const { agentId = null, startedAt = null } = item.state;
  if (phaseStatus(item) === 'started')
    return { status: 'in_progress', agent: agentId, startedAt, completedAt: null };
  const { completedBy = null, ranSince = null, completedAt = null } = item.state;
  return { status: 'completed', agent: completedBy, startedAt: ranSince, completedAt };
}
