import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemKey } from '../item.js';
import { member } from '../json.js';

export function requirementKey(requirementId: string): ItemKey {
  return { kind: 'requirement', key: requirementId };
}

export function riskKey(riskId: string): ItemKey {
  return { kind: 'risk', key: riskId };
}

export function dependencyKey(name: string): ItemKey {
  return { kind: 'dependency', key: name };
}

export function blockerKey(blockerId: string): ItemKey {
  return { kind: 'blocker', key: blockerId };
}

/** Beside the members of a risk as it was raised: the mitigation of its newest update that stated one. */
export const mitigationNow = 'mitigationNow';

/** The mitigation in force; undefined if none was ever stated. */
export function mitigationOf({ body }: Item): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined;
  return member(body, mitigationNow) ?? member(body, 'mitigation');
}
