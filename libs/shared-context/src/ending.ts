import { type JsonObject } from '#event-sourcing';

import { type Item } from './item.js';

/** The latest end of a step, a task or a phase, even if it was started again later. */
type Ending = Readonly<{ version: number; failed: boolean }>;

export function hasEnded({ state }: Item): boolean {
  return state['status'] === 'completed' || state['status'] === 'failed';
}

/** The members that preserve the latest end in the state of an item that is started again. */
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
