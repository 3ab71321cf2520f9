import { z } from 'zod';

import { type RecordedContextEvent, authorOf } from '../context.events.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { identifier } from '../payload.schema.js';

/** The prefix that distinguishes the names of automatic checkpoints from others. */
const prefix = 'after:';

/** The name of a checkpoint. The limits apply to the name of the agent or phase, without the prefix. */
export const checkpointName = z
  .string()
  .refine((name) => identifier.safeParse(completedName(name)).success, {
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

/**
 * The automatic checkpoints that an event creates: they name its version, so that the context can be restored to it.
 */
export function completions(
  event: RecordedContextEvent,
  current: ItemLookup,
): readonly ItemChange[] {
  const { version, recordedAt, principal } = event;
  const state = { version, createdAt: recordedAt, createdBy: principal };
  return completionKeys(event).flatMap((key) =>
    event.type === 'ValueDerived'
      ? extendCompletion(version, current(key.kind, key.key))
      : [{ ...key, state, body: undefined }],
  );
}

/**
 * Moves a completion to the derived value that directly follows it, so that a restore to the completion includes the
 * value.
 */
function extendCompletion(version: number, completion: Item | undefined): readonly ItemChange[] {
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
    // An agent may have a name like `phase:<phase>`, so the two names can be equal.
    return [...new Set([`${prefix}${agent}`, `${prefix}phase:${phase}`])];
  }
  return completing.has(event.type) ? [`${prefix}${authorOf(event)}`] : [];
}

/** The name without the prefix of automatic checkpoints. */
function completedName(name: string): string {
  return isAutomaticName(name) ? name.slice(prefix.length).replace(/^phase:(?=.)/, '') : name;
}
