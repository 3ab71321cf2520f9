import { type JsonObject, type JsonValue } from '#event-sourcing';

export const itemKinds = [
  'life',
  'creation',
  'global',
  'preference',
  'step',
  'step-output',
  'step-failure',
  'output',
  'decision',
  'topic',
  'artifact',
  'counter',
  'idempotency',
  'checkpoint',
] as const;

export type ItemKind = (typeof itemKinds)[number];

/** `key` is any text up to 256 code points (two of them for `output`); names of user data may hold NUL or lone surrogates. */
export type ItemKey = Readonly<{ kind: ItemKind; key: string }>;

/**
 * One small part of a context. `state`: the facts rules look at. `body`: the payload as sent, `undefined` where the
 * kind has none; `null` is a payload. `fromVersion`: the version that made this value current.
 */
export type Item = ItemKey &
  Readonly<{ fromVersion: number; state: JsonObject; body: JsonValue | undefined }>;

/** What one event does to one item. */
export type ItemChange = ItemKey &
  (Readonly<{ state: JsonObject; body: JsonValue | undefined }> | Readonly<{ removed: true }>);

/** `undefined` where there is no such item. */
export type ItemLookup = (kind: ItemKind, key: string) => Item | undefined;
