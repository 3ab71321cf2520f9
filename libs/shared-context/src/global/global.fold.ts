import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type RecordedContextEvent, type RecordedOf } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { mergePatchInSteps, patchChanges } from '../json.js';
import { Pace, finish } from '../pace.js';
import { sourceOf, withSource } from '../source.js';

export type PatchedKind = 'global' | 'preference';

export const globalFolds: EventFolds<'GlobalContextSet' | 'PreferencesSet'> = {
  GlobalContextSet: {
    touches: ({ data }) => patchedKeys('global', data.values),
    fold: (event, current) => finish(foldPatch('global', event, current)),
    foldInSteps: (event, current) => foldPatch('global', event, current),
  },
  PreferencesSet: {
    touches: ({ data }) => patchedKeys('preference', data.values),
    fold: (event, current) => finish(foldPatch('preference', event, current)),
    foldInSteps: (event, current) => foldPatch('preference', event, current),
  },
};

function* foldPatch(
  kind: PatchedKind,
  event: RecordedOf<'GlobalContextSet' | 'PreferencesSet'>,
  current: ItemLookup,
): Generator<void, readonly ItemChange[]> {
  const { values } = event.data;
  const items = yield* patchItems(kind, values, current);
  return [...items, ...patcherChanges(kind, values, { event, current })];
}

/**
 * One item per member of the patched object, so that a small patch never rewrites a large object, and one item for the
 * sources of all patches: a patch that removes a member or sets it to the same value leaves no source in the item of
 * that member.
 */
export function patchedKeys(kind: PatchedKind, patch: JsonObject): readonly ItemKey[] {
  const members = Object.keys(patch).map((key) => ({ kind, key }));
  return members.length > 0 ? [...members, patchersKey(kind)] : [];
}

/** The item whose sources are those of all patches of an object. It changes if a patch has a new source. */
export function patchersKey(kind: PatchedKind): ItemKey {
  return { kind: 'patched', key: kind };
}

export function patcherChanges(
  kind: PatchedKind,
  patch: JsonObject,
  { event, current }: Readonly<{ event: RecordedContextEvent; current: ItemLookup }>,
): readonly ItemChange[] {
  if (Object.keys(patch).length === 0) return [];
  const { kind: of, key } = patchersKey(kind);
  const before = current(of, key);
  return before && includesSource(before, event)
    ? []
    : [{ kind: of, key, state: {}, body: undefined }];
}

/** Whether the sources of an item already include that of the event, or are no longer recorded. */
function includesSource({ sources }: Item, event: RecordedContextEvent): boolean {
  return !sources || withSource(sources, sourceOf(event))?.length === sources.length;
}

/** Whether a merge patch (RFC 7396) changes any item. */
export function changesItems(kind: PatchedKind, patch: JsonObject, current: ItemLookup): boolean {
  return Object.entries(patch).some(([key, value]) => changes(current(kind, key), value));
}

/** The changes of a merge patch (RFC 7396), without the members that stay unchanged. */
function* patchItems(
  kind: PatchedKind,
  patch: JsonObject,
  current: ItemLookup,
): Generator<void, readonly ItemChange[]> {
  const items: ItemChange[] = [];
  const pace = new Pace();
  for (const [key, value] of Object.entries(patch)) {
    if (pace.isStep()) yield;
    const before = current(kind, key);
    if (!changes(before, value)) continue;
    if (value === null) items.push({ kind, key, removed: true });
    else
      items.push({
        kind,
        key,
        state: {},
        body: isJsonObject(value) ? yield* mergePatchInSteps(before?.body, value, pace) : value,
      });
  }
  return items;
}

function changes(before: Item | undefined, value: JsonValue): boolean {
  if (value === null) return before !== undefined;
  return before === undefined || patchChanges(before.body, value);
}
