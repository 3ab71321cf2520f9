import { type ContextEventType, type RecordedOf } from './context.events.js';
import { type ItemChange, type ItemKey, type ItemLookup } from './item.js';

/** What events of one type do to the items of a context. */
export type EventFold<Type extends ContextEventType> = Readonly<{
  /** Every item `fold` may read or change, known from the event alone. */
  touches: (event: RecordedOf<Type>) => readonly ItemKey[];
  fold: (event: RecordedOf<Type>, current: ItemLookup) => readonly ItemChange[];
  /** The same in steps, of events that may change so many items that others had to wait. */
  foldInSteps?: (
    event: RecordedOf<Type>,
    current: ItemLookup,
  ) => Generator<void, readonly ItemChange[]>;
}>;

export type EventFolds<Types extends ContextEventType> = Readonly<{
  [Type in Types]: EventFold<Type>;
}>;
