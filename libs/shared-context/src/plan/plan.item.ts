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

/** The member of a risk's body that holds the mitigation of the newest update with one. */
export const mitigationNow = 'mitigationNow';

/** The mitigation in force; undefined if none was ever stated. */
export function mitigationOf({ body }: Item): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined;
  return member(body, mitigationNow) ?? member(body, 'mitigation');
}
