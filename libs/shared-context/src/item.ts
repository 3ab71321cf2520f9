import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type ItemKind } from './item-kinds.js';
import { type Source } from './source.js';

/**
 * `key` is any text of up to 256 code points; for `output` and `scores` two such texts, and a few more characters for
 * `completion`. Names from user data may contain NUL or lone surrogates.
 */
export type ItemKey = Readonly<{ kind: ItemKind; key: string }>;

/**
 * The smallest part of a context. `state`: the facts that rules use. `body`: the payload as sent, `undefined` if the
 * kind has none; `null` is a payload. `fromVersion`: the version since which the item has this value. `sources`: facts
 * about the events that created and changed it, newest last; absent if they are not recorded.
 */
export type Item = ItemKey &
  Readonly<{
    fromVersion: number;
    state: JsonObject;
    body: JsonValue | undefined;
    sources?: readonly Source[] | undefined;
  }>;

/** The change of one item by one event. */
export type ItemChange = ItemKey &
  (Readonly<{ state: JsonObject; body: JsonValue | undefined }> | Readonly<{ removed: true }>);

/** Returns `undefined` if the item does not exist. */
export type ItemLookup = (kind: ItemKind, key: string) => Item | undefined;
