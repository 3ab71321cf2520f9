import { type JsonObject } from '#event-sourcing';

import { type Item } from './item.js';

/** When a step, a task or a phase ended last, and how, also where it has been begun again since. */
type Ending = Readonly<{ version: number; failed: boolean }>;

export function hasEnded({ state }: Item): boolean {
  return state['status'] === 'completed' || state['status'] === 'failed';
}

/** What an item that is begun again keeps of how it ended. */
export function previousEnding(before: Item | undefined): JsonObject {
  const ending = before && endingOf(before);
  return ending ? { endedVersion: ending.version, endedFailed: ending.failed } : {};
}

export function endingOf(item: Item): Ending | undefined {
  const { status, endedVersion, endedFailed } = item.state;
  if (hasEnded(item)) return { version: item.fromVersion, failed: status === 'failed' };
  return typeof endedVersion === 'number'
    ? { version: endedVersion, failed: endedFailed === true }
    : undefined;
}
