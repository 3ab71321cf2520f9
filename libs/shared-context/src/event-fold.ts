import { type ContextEventType, type RecordedOf } from './context.events.js';
import { type ItemChange, type ItemKey, type ItemLookup } from './item.js';

/** Folds the events of one type into the items of a context. */
export type EventFold<Type extends ContextEventType> = Readonly<{
  /** The items that `fold` may read or change, computed from the event alone. */
  touches: (event: RecordedOf<Type>) => readonly ItemKey[];
  fold: (event: RecordedOf<Type>, current: ItemLookup) => readonly ItemChange[];
  /** Like `fold`, but interruptible, for events that may change very many items. */
  foldInSteps?: (
    event: RecordedOf<Type>,
    current: ItemLookup,
  ) => Generator<void, readonly ItemChange[]>;
}>;

export type EventFolds<Types extends ContextEventType> = Readonly<{
  [Type in Types]: EventFold<Type>;
}>;
