import { type CommandOf, type CommandType } from './context.command.js';
import { type DecidedEvent } from './context.events.js';
import { type ItemKey, type ItemLookup } from './item.js';

/** The item that an id in a payload names; `pointer` leads to the id. */
export type Reference = Readonly<{ pointer: string; item: ItemKey }>;

/** The rule for commands of one type, in a context that exists and is open. */
export type CommandRule<Type extends CommandType> = Readonly<{
  /** Items that deciding, or folding the decided events, may read, as far as the `known` items identify them. */
  reads: (command: CommandOf<Type>, known: ItemLookup) => readonly ItemKey[];
  /**
   * Items that must exist and be visible to the writer. A hidden item is reported as absent: a writer can only act on
   * visible items.
   */
  names?: (command: CommandOf<Type>) => readonly ItemKey[];
  /** References to items that need not exist. An id that clients may not choose is accepted only if its item exists. */
  refersTo?: (command: CommandOf<Type>) => readonly Reference[];
  decide: (command: CommandOf<Type>, current: ItemLookup) => readonly DecidedEvent[];
}>;

export type CommandRules<Types extends CommandType> = Readonly<{
  [Type in Types]: CommandRule<Type>;
}>;
