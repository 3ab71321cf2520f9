import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type ItemKind } from './item-kinds.js';
import { type Source } from './source.js';

/** `key` is any text up to 256 code points (two of them for `output` and `scores`, a few more for `completion`); names of user data may hold NUL or lone surrogates. */
export type ItemKey = Readonly<{ kind: ItemKind; key: string }>;

/**
 * One small part of a context. `state`: the facts rules look at. `body`: the payload as sent, `undefined` where the
 * kind has none; `null` is a payload. `fromVersion`: the version that made this value current. `sources`: what is known
 * of the events that have made it, the newest last; absent where nobody has kept it.
 */
export type Item = ItemKey &
  Readonly<{
    fromVersion: number;
    state: JsonObject;
    body: JsonValue | undefined;
    sources?: readonly Source[] | undefined;
  }>;

/** What one event does to one item. */
export type ItemChange = ItemKey &
  (Readonly<{ state: JsonObject; body: JsonValue | undefined }> | Readonly<{ removed: true }>);

/** `undefined` where there is no such item. */
export type ItemLookup = (kind: ItemKind, key: string) => Item | undefined;
