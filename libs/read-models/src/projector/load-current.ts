import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type ContextId, type Item, type ItemKey, Pace, touchedKeys } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { findCurrentItems } from '../contexts/item-rows.js';
import { type ProjectionRows, type ContextRun, type BatchEvent, idText } from './context-runs.js';

/** An event and its run. */
export type RunEvent = BatchEvent & Readonly<{ run: ContextRun }>;

type LoadedItems = Map<string, Item | undefined>;

/**
 * `items` by context: `undefined` if the item does not exist. `end` is the index of the first event whose items were
 * not loaded.
 */
export type CurrentRows = Readonly<{
  items: ReadonlyMap<string, ReadonlyMap<string, Item | undefined>>;
  end: number;
}>;

type RequestedItem = ContextId & ItemKey & Readonly<{ nth: number }>;

/** The items that the events touch, for as many events as fit into `maxBytes`, at least one. */
export async function loadCurrent(
  trx: Transaction<Database>,
  { tables }: ProjectionRows,
  events: readonly RunEvent[],
  maxBytes: number,
): Promise<CurrentRows> {
  const { items, requested } = await runInSlices(requestedItems(events));
  let end = Infinity;
  if (requested.length === 0) return { items, end };
  const minItems = requested.filter(({ nth }) => nth === events[0]?.nth).length;
  const indexes = new Map(requested.map((key) => [itemText(key), key.nth]));
  for (const found of await findCurrentItems(trx, tables, requested, { minItems, maxBytes })) {
    const loaded = items.get(idText(found));
    if (found.item) loaded?.set(keyText(found), found.item);
    else {
      loaded?.delete(keyText(found));
      end = Math.min(end, indexes.get(itemText(found)) ?? 0);
    }
  }
  return { items, end };
}

/** The items in the order of the events. */
function* requestedItems(
  events: readonly RunEvent[],
): Steps<Readonly<{ items: Map<string, LoadedItems>; requested: RequestedItem[] }>> {
  const items = new Map<string, LoadedItems>();
  const requested: RequestedItem[] = [];
  for (const runEvent of events) {
    const { id, head } = runEvent.run;
    const loaded = items.get(idText(id)) ?? new Map<string, Item | undefined>();
    items.set(idText(id), loaded);
    const missing = yield* missingOf(runEvent, loaded);
    // A context without rows has no items to load.
    if (head) for (const key of missing) requested.push(key);
    yield;
  }
  return { items, requested };
}

/** The items of one event that were not requested for an earlier one. */
function* missingOf({ run, event, nth }: RunEvent, loaded: LoadedItems): Steps<RequestedItem[]> {
  const missing: RequestedItem[] = [];
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

function itemText(key: ContextId & ItemKey): string {
  return `${idText(key)} ${keyText(key)}`;
}
