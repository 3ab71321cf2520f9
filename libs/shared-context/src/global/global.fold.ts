import { type JsonObject } from '#event-sourcing';

import { type RecordedContextEvent } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { jsonEquals, mergePatch } from '../json.js';
import { sourceOf, withSource } from '../source.js';

export type PatchedKind = 'global' | 'preference';

export const globalFolds: EventFolds<'GlobalContextSet' | 'PreferencesSet'> = {
  GlobalContextSet: {
    touches: ({ data }) => patchedKeys('global', data.values),
    fold: (event, current) => [
      ...patchItems('global', event.data.values, current),
      ...patched('global', event.data.values, { event, current }),
    ],
  },
  PreferencesSet: {
    touches: ({ data }) => patchedKeys('preference', data.values),
    fold: (event, current) => [
      ...patchItems('preference', event.data.values, current),
      ...patched('preference', event.data.values, { event, current }),
    ],
  },
};

/**
 * One item per member of the object patched, so that a small patch never rewrites a large object; and one that says who
 * has patched it, for a member that somebody took out, or set to what it was, is an item that does not tell.
 */
export function patchedKeys(kind: PatchedKind, patch: JsonObject): readonly ItemKey[] {
  const members = Object.keys(patch).map((key) => ({ kind, key }));
  return members.length > 0 ? [...members, patchersKey(kind)] : [];
}

/** The item whose sources are those of all patches of an object. Changes where a patch is of a new source. */
export function patchersKey(kind: PatchedKind): ItemKey {
  return { kind: 'patched', key: kind };
}

export function patched(
  kind: PatchedKind,
  patch: JsonObject,
  { event, current }: Readonly<{ event: RecordedContextEvent; current: ItemLookup }>,
): readonly ItemChange[] {
  if (Object.keys(patch).length === 0) return [];
  const { kind: of, key } = patchersKey(kind);
  const before = current(of, key);
  return before && tells(before, event) ? [] : [{ kind: of, key, state: {}, body: undefined }];
}

/** Whether the sources of an item name that of an event already, or are not kept any more. */
function tells({ sources }: Item, event: RecordedContextEvent): boolean {
  return !sources || withSource(sources, sourceOf(event))?.length === sources.length;
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
