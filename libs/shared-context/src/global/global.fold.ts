import { type JsonObject } from '#event-sourcing';

import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { jsonEquals, mergePatch } from '../json.js';

export type PatchedKind = 'global' | 'preference';

export const globalFolds: EventFolds<'GlobalContextSet' | 'PreferencesSet'> = {
  GlobalContextSet: {
    touches: ({ data }) => patchedKeys('global', data.values),
    fold: ({ data }, current) => patchItems('global', data.values, current),
  },
  PreferencesSet: {
    touches: ({ data }) => patchedKeys('preference', data.values),
    fold: ({ data }, current) => patchItems('preference', data.values, current),
  },
};

/** One item per member of the object patched, so that a small patch never rewrites a large object. */
export function patchedKeys(kind: PatchedKind, patch: JsonObject): readonly ItemKey[] {
  return Object.keys(patch).map((key) => ({ kind, key }));
}

/** What a merge patch (RFC 7396) changes; members it leaves as they are do not appear. */
export function patchItems(
  kind: PatchedKind,
  patch: JsonObject,
  current: ItemLookup,
): readonly ItemChange[] {
  return Object.entries(patch).flatMap(([key, value]): readonly ItemChange[] => {
    const before = current(kind, key);
    if (value === null) return before ? [{ kind, key, removed: true }] : [];
    const body = mergePatch(before?.body, value);
    return before && jsonEquals(before.body, body) ? [] : [{ kind, key, state: {}, body }];
  });
}
