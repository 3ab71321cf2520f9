import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type ContextId, type Item, type ItemKey, Pace, touchedKeys } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { findCurrentItems } from '../contexts/item-rows.js';
import { type ProjectionRows, type ContextRun, type PlacedEvent, idText } from './context-runs.js';

/** An event with the run it is of. */
export type RunEvent = PlacedEvent & Readonly<{ run: ContextRun }>;

type Loaded = Map<string, Item | undefined>;

/** `items`, by context: `undefined` if there is none. `end` is the place of the first event whose items are not there. */
export type CurrentRows = Readonly<{
  items: ReadonlyMap<string, ReadonlyMap<string, Item | undefined>>;
  end: number;
}>;

type WantedItem = ContextId & ItemKey & Readonly<{ nth: number }>;

/** The items that the events touch, for as many events as they come to `most` bytes, at least one. */
export async function loadCurrent(
  trx: Transaction<Database>,
  { tables }: ProjectionRows,
  events: readonly RunEvent[],
  most: number,
): Promise<CurrentRows> {
  const { items, wanted } = await runInSlices(wantedItems(events));
  let end = Infinity;
  if (wanted.length === 0) return { items, end };
  const least = wanted.filter(({ nth }) => nth === events[0]?.nth).length;
  const places = new Map(wanted.map((key) => [placeText(key), key.nth]));
  for (const found of await findCurrentItems(trx, tables, wanted, { least, most })) {
    const loaded = items.get(idText(found));
    if (found.item) loaded?.set(keyText(found), found.item);
    else {
      loaded?.delete(keyText(found));
      end = Math.min(end, places.get(placeText(found)) ?? 0);
    }
  }
  return { items, end };
}

/** In the order of the events. */
function* wantedItems(
  events: readonly RunEvent[],
): Steps<Readonly<{ items: Map<string, Loaded>; wanted: WantedItem[] }>> {
  const items = new Map<string, Loaded>();
  const wanted: WantedItem[] = [];
  for (const runEvent of events) {
    const { id, head } = runEvent.run;
    const loaded = items.get(idText(id)) ?? new Map<string, Item | undefined>();
    items.set(idText(id), loaded);
    const missing = yield* missingOf(runEvent, loaded);
    // Nothing is there of a context without rows.
    if (head) for (const key of missing) wanted.push(key);
    yield;
  }
  return { items, wanted };
}

/** The items of one event that are not loaded for an earlier one. */
function* missingOf({ run, event, nth }: RunEvent, loaded: Loaded): Steps<WantedItem[]> {
  const missing: WantedItem[] = [];
  const pace = new Pace();
  for (const { kind, key } of touchedKeys(event)) {
    if (pace.isStep()) yield;
    const text = keyText({ kind, key });
    if (loaded.has(text)) continue;
    loaded.set(text, undefined);
    missing.push({ ...run.id, kind, key, nth });
  }
  return missing;
}

export function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}

function placeText(key: ContextId & ItemKey): string {
  return `${idText(key)} ${keyText(key)}`;
}
