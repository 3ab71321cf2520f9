import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

import { decisionCounterKey } from '../decisions/decision.item.js';
import { type RecordedContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { type Item, type ItemKey } from '../item.js';
import { type ItemKind, itemKinds } from '../item-kinds.js';
import { withFacts } from '../lazy-item.js';
import { creationKey } from '../life/life.fold.js';

/** The context and version whose items an event puts in place of all there were. */
export type Base = Readonly<{ contextId: string; version: number; forked: boolean }>;

/** Kinds that belong to one context and its time: restores do not undo them, and forks do not inherit them. */
const timelineKinds: ReadonlySet<ItemKind> = new Set([
  'life',
  'creation',
  'counter',
  'idempotency',
  'checkpoint',
  'completion',
  ...(['run', 'run-input', 'run-step', 'run-frozen'] as const),
]);

/** Kinds that a restore takes back and a fork inherits. */
export const contentKinds: readonly ItemKind[] = itemKinds.filter((kind) => isContent({ kind }));

/** What a fork copies, so that it says by itself what it is and goes on counting where its source was. */
export const copiedKeys: readonly ItemKey[] = [creationKey, decisionCounterKey];

const copied: ReadonlySet<string> = new Set(copiedKeys.map(({ kind, key }) => `${kind} ${key}`));

export function isContent({ kind }: Readonly<{ kind: ItemKind }>): boolean {
  return !timelineKinds.has(kind);
}

/** Undefined for events that go on from what there is. */
export function baseOf(contextId: string, event: RecordedContextEvent): Base | undefined {
  if (event.type === 'ContextForked') return { ...event.data.source, forked: true };
  if (event.type !== 'ContextRestored') return undefined;
  return { contextId, version: event.data.version, forked: false };
}

/** The items an event with a base is folded over: `now` before it, `atBase` those of the base. */
export function rebase(base: Base, now: Iterable<Item>, atBase: Iterable<Item>): ContextState {
  const taken = base.forked
    ? [...atBase]
        .filter((item) => isContent(item) || copied.has(`${item.kind} ${item.key}`))
        .map((item) => shifted(item, base.version))
    : [...atBase].filter(isContent);
  return ContextState.from([...[...now].filter((item) => !isContent(item)), ...taken]);
}

/**
 * An item as it is counted `by` versions later. What a fork inherits is older than its version 1: its newest is of
 * version 0, the ones before are negative, so that order is kept however often a fork is forked.
 */
export function shifted(item: Item, by: number): Item {
  if (by === 0) return item;
  return withFacts(item, {
    fromVersion: item.fromVersion - by,
    state: shiftedState(item.state, by),
  });
}

/** Members of item states, which only the folds write, that hold a version. */
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
