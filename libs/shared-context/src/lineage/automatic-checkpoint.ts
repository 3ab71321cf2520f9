import { z } from 'zod';

import { type RecordedContextEvent, authorOf } from '../context.events.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { identifier } from '../payload.schema.js';

/** What the names of automatic checkpoints begin with, and no other's do. */
const prefix = 'after:';

/** The name of a checkpoint: an automatic one is longer than the agent or phase it names. */
export const checkpointName = z
  .string()
  .refine((name) => identifier.safeParse(stated(name)).success, {
    error: 'must be 1 to 256 characters without control characters or lone surrogates',
  });

export function isAutomaticName(name: string): boolean {
  return name.startsWith(prefix);
}

export function completionKey(name: string): ItemKey {
  return { kind: 'completion', key: name };
}

/** The newest completion of an agent. */
export function completionOf(agentId: string): ItemKey {
  return completionKey(`${prefix}${agentId}`);
}

/** The newest completion under each of its names: `after:<agent>`, and `after:phase:<phase>` for a phase. */
export function completionKeys(event: RecordedContextEvent): readonly ItemKey[] {
  return namesOf(event).map(completionKey);
}

/** What is complete once this has happened is named by its version, so that it can be gone back to. */
export function completions(
  event: RecordedContextEvent,
  current: ItemLookup,
): readonly ItemChange[] {
  const { version, recordedAt, principal } = event;
  const state = { version, createdAt: recordedAt, createdBy: principal };
  return completionKeys(event).flatMap((key) =>
    event.type === 'ValueDerived'
      ? derivedBehind(version, current(key.kind, key.key))
      : [{ ...key, state, body: undefined }],
  );
}

/** What follows from a completion belongs to it: who goes back to it finds both. */
function derivedBehind(version: number, completion: Item | undefined): readonly ItemChange[] {
  if (completion?.state['version'] !== version - 1) return [];
  const { kind, key, state, body } = completion;
  return [{ kind, key, state: { ...state, version }, body }];
}

const completing: ReadonlySet<RecordedContextEvent['type']> = new Set([
  'StepOutputAdded',
  'TaskCompleted',
  'ValueDerived',
]);

function namesOf(event: RecordedContextEvent): readonly string[] {
  if (event.type === 'PhaseCompleted') {
    const { phase, agent = authorOf(event) } = event.data;
    // An agent may be called as phases are.
    return [...new Set([`${prefix}${agent}`, `${prefix}phase:${phase}`])];
  }
  return completing.has(event.type) ? [`${prefix}${authorOf(event)}`] : [];
}

/** What is named, without what an automatic name begins with. */
function stated(name: string): string {
  return isAutomaticName(name) ? name.slice(prefix.length).replace(/^phase:(?=.)/, '') : name;
}
