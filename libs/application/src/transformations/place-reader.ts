import { type JsonValue } from '#event-sourcing';
import { type Spend, valueAtPath } from '#expressions';
import {
  type Item,
  type ItemKey,
  type ItemLookup,
  type Visibility,
  derivedFacts,
  derivedKey,
  placeNames,
  providedKey,
} from '#shared-context';
import { type DerivedPlace, type PathIndex, type PlacedPath, overlap } from '#transformations';

import { fillGaps } from './fill-gaps.js';
import { Overlay } from './overlay.js';
import { statedKey, statedValue } from './stated-value.js';

/** The cost of placing one derived value, in steps of an expression. */
const stepsPerDerived = 2;

/**
 * The value at a path, undefined if there is none; the newest version that contributed to it; and whether readers who see only
 * events of visibility `record` may see it.
 */
export type PlaceValue = Readonly<{
  value: JsonValue | undefined;
  version: number;
  visibility: Visibility;
}>;

type PlacedItem = Readonly<{ item: Item; value: JsonValue; within: readonly string[] }>;

/**
 * Reads the values at paths: the stated value, overlaid with the values that transformations have derived; provided values fill
 * the remaining gaps.
 */
export class PlaceReader {
  /** `derived`: the destinations of all transformations. */
  constructor(private readonly derived: PathIndex<DerivedPlace>) {}

  keys(path: PlacedPath): readonly ItemKey[] {
    const stated = statedKey(path.place);
    // Reads the full place, because whether a part is missing may depend on its siblings.
    const derived = this.#about(fullPlace(path)).map((each) => derivedKey(each.path));
    return [...(stated ? [stated] : []), providedKey(path.place), ...derived];
  }

  /**
   * The items of {@link keys} must be loaded. `spend` is called with the number of steps before they are taken: for reading the
   * items, and for copying the objects into which derived values are placed.
   */
  read(path: PlacedPath, current: ItemLookup, spend: Spend = () => undefined): PlaceValue {
    const stated = this.#statedValue(path, current, spend);
    const { kind, key } = providedKey(path.place);
    const provided = current(kind, key);
    if (!provided) return stated;
    const { rest } = path.place;
    const whole = rest.length > 0 ? this.#statedValue(fullPlace(path), current, spend) : stated;
    const { value, used } = fillGaps(path.place, whole.value, { current, spend });
    const overlapping = used.filter(({ names }) => overlap(names, rest));
    if (overlapping.length === 0) return stated;
    const isOnRecord = overlapping.every(({ onRecord }) => onRecord);
    return {
      value: valueAtPath(value, rest),
      version: Math.max(stated.version, provided.fromVersion),
      visibility: isOnRecord ? stated.visibility : 'working',
    };
  }

  /** The stated or derived value, without provided values. */
  #statedValue(path: PlacedPath, current: ItemLookup, spend: Spend): PlaceValue {
    const about = this.#about(path);
    spend(1 + stepsPerDerived * about.length);
    const parts = [
      ...statedAt(path, current),
      ...about.flatMap((each) => derivedAt(each, path, current)),
    ];
    const overlay = new Overlay(undefined, spend);
    for (const { within, value } of parts) overlay.put(within, value);
    return {
      value: overlay.value,
      version: Math.max(0, ...parts.map(({ item }) => item.fromVersion)),
      visibility: parts.every(({ item }) => isOnRecord(item)) ? 'record' : 'working',
    };
  }

  /** Outer paths first, so that a value derived for a part is placed into the value derived for the whole. */
  #about({ names }: PlacedPath): readonly DerivedPlace[] {
    return this.derived
      .overlapping(names)
      .toSorted((left, right) => left.names.length - right.names.length);
  }
}

/** The path to the full value of the place that a path leads into. */
function fullPlace({ path, place }: PlacedPath): PlacedPath {
  return { path, names: placeNames(place), place: { ...place, rest: [] } };
}

function statedAt({ place }: PlacedPath, current: ItemLookup): readonly PlacedItem[] {
  const key = statedKey(place);
  const item = key && current(key.kind, key.key);
  const value = item && statedValue(place, item);
  return item && value !== undefined ? [{ item, value, within: [] }] : [];
}

function derivedAt(
  place: DerivedPlace,
  requested: PlacedPath,
  current: ItemLookup,
): readonly PlacedItem[] {
  const item = derivedFor(place, current);
  if (!item) return [];
  const { names } = place;
  const value = valueAtPath(derivedFacts(item).value, requested.names.slice(names.length));
  return value === undefined ? [] : [{ item, value, within: names.slice(requested.names.length) }];
}

/** The item of the derived value at a place; undefined if its transformation failed or has been replaced since. */
export function derivedFor(
  { path, transformationId }: DerivedPlace,
  current: ItemLookup,
): Item | undefined {
  const item = current('derived', path);
  if (!item) return undefined;
  const { transformation, problem } = derivedFacts(item);
  return transformation === transformationId && problem === undefined ? item : undefined;
}

/** Items without known sources are visible only to readers who see everything. */
function isOnRecord({ state, sources }: Item): boolean {
  // An item that its newest event replaces states its visibility; other items combine several events.
  const { visibility } = state;
  if (visibility !== undefined) return visibility === 'record';
  return sources?.every((source) => source.visibility === 'record') ?? false;
}
