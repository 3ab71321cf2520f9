import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

import { decisionCounterKey } from '../decisions/decision.item.js';
import { type RecordedContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { type Item, type ItemKey } from '../item.js';
import { type ItemKind, itemKinds } from '../item-kinds.js';
import { withFacts } from '../lazy-item.js';
import { creationKey } from '../life/life.fold.js';

/** The context and version whose items replace the current ones in a fork or a restore. */
export type Base = Readonly<{ contextId: string; version: number; forked: boolean }>;

/** Kinds that belong to the history of one context: restores do not undo them, and forks do not inherit them. */
const timelineKinds: ReadonlySet<ItemKind> = new Set([
  'life',
  'creation',
  'counter',
  'idempotency',
  'checkpoint',
  'completion',
  ...(['run', 'run-input', 'run-step', 'run-frozen'] as const),
]);

/** Kinds that a restore replaces and a fork inherits. */
export const contentKinds: readonly ItemKind[] = itemKinds.filter((kind) => isContent({ kind }));

/** Further items that a fork copies: its creation facts, and the counter from which decisions are numbered. */
export const copiedKeys: readonly ItemKey[] = [creationKey, decisionCounterKey];

const copiedItems: ReadonlySet<string> = new Set(
  copiedKeys.map(({ kind, key }) => `${kind} ${key}`),
);

export function isContent({ kind }: Readonly<{ kind: ItemKind }>): boolean {
  return !timelineKinds.has(kind);
}

/** Undefined for events other than forks and restores. */
export function baseOf(contextId: string, event: RecordedContextEvent): Base | undefined {
  if (event.type === 'ContextForked') return { ...event.data.source, forked: true };
  if (event.type !== 'ContextRestored') return undefined;
  return { contextId, version: event.data.version, forked: false };
}

/**
 * The state over which a fork or a restore is folded. `now`: the items before the event; `atBase`: the items of the
 * base.
 */
export function rebase(base: Base, now: Iterable<Item>, atBase: Iterable<Item>): ContextState {
  const inherited = base.forked
    ? [...atBase]
        .filter((item) => isContent(item) || copiedItems.has(`${item.kind} ${item.key}`))
        .map((item) => shifted(item, base.version))
    : [...atBase].filter(isContent);
  return ContextState.from([...[...now].filter((item) => !isContent(item)), ...inherited]);
}

/**
 * An item with its versions reduced by `by`. The items that a fork inherits get versions up to 0, so that they precede
 * its own events and retain their order, also in forks of forks.
 */
export function shifted(item: Item, by: number): Item {
  if (by === 0) return item;
  return withFacts(item, {
    fromVersion: item.fromVersion - by,
    state: shiftedState(item.state, by),
  });
}

/** Members of item states that contain a version. */
const versionMembers: ReadonlySet<string> = new Set([
  'version',
  'startedVersion',
  'firstVersion',
  'endedVersion',
  'basedOn',
]);

function shiftedState(state: JsonObject, by: number): JsonObject {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [name, shiftedMember(name, value, by)]),
  );
}

function shiftedMember(name: string, value: JsonValue, by: number): JsonValue {
  if (typeof value === 'number' && versionMembers.has(name)) return value - by;
  if (name === 'endings' && isJsonArray(value))
    return value.map((ending) => (isJsonObject(ending) ? shiftedState(ending, by) : ending));
  return name === 'decided' && isJsonObject(value) ? shiftedState(value, by) : value;
}
