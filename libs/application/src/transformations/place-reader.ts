import { type JsonValue } from '#event-sourcing';
import { type Spend, valueAtPath } from '#expressions';
import {
  type Item,
  type ItemKey,
  type ItemLookup,
  type Visibility,
  derivedFacts,
  derivedKey,
} from '#shared-context';
import { type DerivedPlace, type PathIndex, type PlacedPath } from '#transformations';

import { Overlay } from './overlay.js';
import { statedKey, statedValue } from './stated-value.js';

/** Putting a derived value where it belongs takes about as long as so many steps of an expression. */
const stepsPerDerived = 2;

/**
 * What stands at a path, the newest version that says so, and whether those may see it who see only the record.
 * `value` is undefined where nothing stands.
 */
export type PlaceValue = Readonly<{
  value: JsonValue | undefined;
  version: number;
  visibility: Visibility;
}>;

type Said = Readonly<{ item: Item; value: JsonValue; within: readonly string[] }>;

/** Reads what paths lead to: what was stated there, and in its place what transformations have derived for it. */
export class PlaceReader {
  /** `derived`: every path that values are derived for. */
  constructor(private readonly derived: PathIndex<DerivedPlace>) {}

  keys(path: PlacedPath): readonly ItemKey[] {
    const stated = statedKey(path.place);
    return [...(stated ? [stated] : []), ...this.#about(path).map((each) => derivedKey(each.path))];
  }

  /**
   * The items of {@link keys} must be among those known. `spend` is told how many steps it takes to look at them and to
   * copy the objects that derived values are put into, before that is done.
   */
  read(path: PlacedPath, current: ItemLookup, spend: Spend = () => undefined): PlaceValue {
    const about = this.#about(path);
    spend(1 + stepsPerDerived * about.length);
    const said = [
      ...statedAt(path, current),
      ...about.flatMap((each) => derivedAt(each, path, current)),
    ];
    const overlay = new Overlay(undefined, spend);
    for (const { within, value } of said) overlay.put(within, value);
    return {
      value: overlay.value,
      version: Math.max(0, ...said.map(({ item }) => item.fromVersion)),
      visibility: said.every(({ item }) => isOnRecord(item)) ? 'record' : 'working',
    };
  }

  /** Outer ones first, so that what is derived for a part stands in what is derived for the whole. */
  #about({ names }: PlacedPath): readonly DerivedPlace[] {
    return this.derived
      .overlapping(names)
      .toSorted((left, right) => left.names.length - right.names.length);
  }
}

function statedAt({ place }: PlacedPath, current: ItemLookup): readonly Said[] {
  const key = statedKey(place);
  const item = key && current(key.kind, key.key);
  const value = item && statedValue(place, item);
  return item && value !== undefined ? [{ item, value, within: [] }] : [];
}

function derivedAt(place: DerivedPlace, asked: PlacedPath, current: ItemLookup): readonly Said[] {
  const item = derivedFor(place, current);
  if (!item) return [];
  const { names } = place;
  const value = valueAtPath(derivedFacts(item).value, asked.names.slice(names.length));
  return value === undefined ? [] : [{ item, value, within: names.slice(asked.names.length) }];
}

/** What stands in the place of what was stated there; no value of a transformation that derives it no more. */
export function derivedFor(
  { path, transformationId }: DerivedPlace,
  current: ItemLookup,
): Item | undefined {
  const item = current('derived', path);
  if (!item) return undefined;
  const { transformation, problem } = derivedFacts(item);
  return transformation === transformationId && problem === undefined ? item : undefined;
}

/** What nobody knows the making of is shown to none but those who see everything. */
function isOnRecord({ state, sources }: Item): boolean {
  // Items that are what their newest event says, say themselves what that one was; others are made of several.
  const { visibility } = state;
  if (visibility !== undefined) return visibility === 'record';
  return sources?.every((source) => source.visibility === 'record') ?? false;
}
