import { type JsonValue } from '#event-sourcing';
import { valueAtPath } from '#expressions';
import {
  type ContextPlace,
  type Item,
  type ItemKind,
  type ItemLookup,
  placeNames,
  placeOfPath,
} from '#shared-context';

import { fillGaps } from '../transformations/fill-gaps.js';
import { Overlay } from '../transformations/overlay.js';

export const providedKind: ItemKind = 'provided';

/** The paths of a context for which values were provided; fills missing values with them. */
export class ProvidedPlaces {
  readonly #places: readonly ContextPlace[];

  constructor(
    items: Iterable<Item>,
    private readonly current: ItemLookup,
  ) {
    this.#places = [...items].flatMap(({ kind, key }) =>
      kind === providedKind ? (placeOfPath(key) ?? []) : [],
    );
  }

  /** Agents whose outputs or inputs were provided. */
  agents(): readonly string[] {
    return this.#places.flatMap((place) => ('agentId' in place ? [place.agentId] : []));
  }

  /** Outputs by step. */
  fillSteps(outputs: JsonValue | undefined): JsonValue | undefined {
    return this.#fill(outputs, ({ kind }) => kind === 'step', 1);
  }

  /** The outputs of an agent by name. */
  fillOutputs(agentId: string, outputs: JsonValue | undefined): JsonValue | undefined {
    const isOfAgent = (place: ContextPlace) => place.kind === 'output' && place.agentId === agentId;
    return this.#fill(outputs, isOfAgent, 2);
  }

  /** Global context, metadata and the inputs of agents, by the names of their paths. */
  fillOthers(values: JsonValue | undefined): JsonValue | undefined {
    return this.#fill(values, ({ kind }) => kind !== 'step' && kind !== 'output', 0);
  }

  /** `from`: the number of names at the beginning of a path that lead to `values`. */
  #fill(
    values: JsonValue | undefined,
    isAmong: (place: ContextPlace) => boolean,
    from: number,
  ): JsonValue | undefined {
    const overlay = new Overlay(values);
    for (const place of this.#places.filter(isAmong)) {
      const names = placeNames(place).slice(from);
      const { value, used } = fillGaps(place, valueAtPath(values, names), {
        current: this.current,
      });
      if (value !== undefined && used.length > 0) overlay.put(names, value);
    }
    return overlay.value;
  }
}
