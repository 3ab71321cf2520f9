import { type DecidedEvent } from '../context.events.js';
import { type ItemKey, type ItemLookup } from '../item.js';

/**
 * The interpretation, by a workflow definition, of something that happened to a run; it decides on the items of the
 * run.
 */
export type RunInterpretation = Readonly<{
  /**
   * The items that `decide` reads, as far as the `known` items identify them. Their number depends on the definition
   * only.
   */
  reads: (known: ItemLookup) => readonly ItemKey[];
  /** The new events; none if they are recorded already. `version`: the current version of the context. */
  decide: (current: ItemLookup, version: number) => readonly DecidedEvent[];
}>;
