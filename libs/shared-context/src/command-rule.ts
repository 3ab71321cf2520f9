import { type CommandOf, type CommandType } from './context.command.js';
import { type DecidedEvent } from './context.events.js';
import { type ItemKey, type ItemLookup } from './item.js';

/** An id in a payload; `pointer` is its place there. */
export type Reference = Readonly<{ pointer: string; item: ItemKey }>;

/** How commands of one type are decided, in a context that exists and is open. */
export type CommandRule<Type extends CommandType> = Readonly<{
  /** Items that deciding, or folding what is decided, may read, as far as `known` lets them be named. */
  reads: (command: CommandOf<Type>, known: ItemLookup) => readonly ItemKey[];
  /**
   * Items that must be there for the command to be taken. Whoever does not see one is answered as if it were not there:
   * acting on something needs seeing it.
   */
  names?: (command: CommandOf<Type>) => readonly ItemKey[];
  /** References to items that need not exist. An id that clients may not choose is accepted only if its item exists. */
  refersTo?: (command: CommandOf<Type>) => readonly Reference[];
  decide: (command: CommandOf<Type>, current: ItemLookup) => readonly DecidedEvent[];
}>;

export type CommandRules<Types extends CommandType> = Readonly<{
  [Type in Types]: CommandRule<Type>;
}>;
