import { type DecidedEvent } from '../context.events.js';
import { type ItemKey, type ItemLookup } from '../item.js';

/** What a definition makes of something that happened to a run, decided on the items of the run. */
export type RunInterpretation = Readonly<{
  /** The items that deciding reads, as far as `known` lets them be named. Bounded by the definition, not by the history. */
  reads: (known: ItemLookup) => readonly ItemKey[];
  /** `version`: the one the context has. Nothing if what happened is recorded already. */
  decide: (current: ItemLookup, version: number) => readonly DecidedEvent[];
}>;
