import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { member } from '../json.js';
import { type Activity } from '../outcome/activity.js';
import { shownVersion } from '../shown-version.js';

/** The kinds of items that describe running and failed steps: `kinds` with their bodies, `states` without. */
export const openStepKinds: Readonly<Record<'kinds' | 'states', readonly ItemKind[]>> = {
  kinds: ['step-failure'],
  states: ['step'],
};

/** Whether there may be running or failed steps. */
export function hasOpenSteps({ running, failing, counted }: Activity): boolean {
  return running > 0 || failing > 0 || !counted;
}

/** Ids of the running steps, in the order in which they were started. */
export function activeSteps(items: readonly Item[]): string[] {
  return items
    .filter(({ kind, state }) => kind === 'step' && state['status'] === 'started')
    .toSorted((left, right) => startOf(left) - startOf(right))
    .map(({ key }) => key);
}

/** Steps whose newest attempt failed, with the reported reasons, oldest failure first. */
export function failedSteps(items: readonly Item[]): JsonObject[] {
  const failed = new Set(
    items
      .filter(({ kind, state }) => kind === 'step' && state['status'] === 'failed')
      .map(({ key }) => key),
  );
  return items
    .filter(({ kind, key }) => kind === 'step-failure' && failed.has(key))
    .toSorted((left, right) => left.fromVersion - right.fromVersion)
    .map(({ key, body, state, fromVersion }) => {
      const reported = isJsonObject(body) ? body : {};
      return {
        stepId: key,
        reason: member(reported, 'reason') ?? null,
        tried: member(reported, 'tried') ?? null,
        version: shownVersion(fromVersion),
        agentId: state['agentId'] ?? null,
      };
    });
}

function startOf({ state, fromVersion }: Item): number {
  const { startedVersion } = state;
  return typeof startedVersion === 'number' ? startedVersion : fromVersion;
}
