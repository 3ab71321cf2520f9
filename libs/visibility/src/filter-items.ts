import { type Item, type ItemKind, type ItemLookup, type Source } from '#shared-context';

import { type VisibilityFilter, type HasFailed, without } from './visibility-filter.js';

/**
 * Kinds that only the audience `all` reads: deciders need them, or they combine several events. A run combines the events of
 * all its steps, and a source combines all items of an imported document, even if some of these are hidden.
 */
const internalKinds: ReadonlySet<ItemKind> = new Set([
  'source',
  ...(['topic', 'counter', 'idempotency', 'summarized'] as const),
  ...(['run', 'run-input', 'run-step', 'run-frozen'] as const),
]);

/** The newest event of an item of these kinds replaces the full item. */
const replacedKinds: ReadonlySet<ItemKind> = new Set([
  'step-output',
  'step-failure',
  'output',
  'output-value',
  'derived',
  'newest-review',
  'newest-signal',
]);

/**
 * The items that an audience sees. `mixed`: kinds with an item that both visible and hidden events have changed; the caller
 * must fold the visible events alone to get these items.
 */
type FilteredItems = Readonly<{ visible: readonly Item[]; mixed: ReadonlySet<ItemKind> }>;

/** The kind that a `patched` item belongs to: a hidden event may have removed or changed values of that kind. */
function patchedKind({ key }: Item): ItemKind {
  return key === 'global' ? 'global' : 'preference';
}

type ItemVisibility = 'visible' | 'hidden' | 'mixed';

/**
 * The items that a fold of the visible events alone would return, if the sources of the items suffice to decide that. `pack`
 * converts the copies without withheld members to the form in which the caller stores items.
 */
export function filterItems(
  filter: VisibilityFilter,
  items: readonly Item[],
  pack: (item: Item) => Item = (item) => item,
): FilteredItems {
  const hasFailed = failuresIn(filter, items);
  const visible: Item[] = [];
  const mixed = new Set<ItemKind>();
  for (const item of items.filter(({ kind }) => !internalKinds.has(kind))) {
    const visibility = visibilityOfItem(filter, item, hasFailed);
    if (visibility === 'mixed') mixed.add(item.kind === 'patched' ? patchedKind(item) : item.kind);
    else if (visibility === 'visible' && item.kind !== 'patched')
      visible.push(item.kind === 'decision' ? withheld(filter, item, pack) : item);
  }
  return { visible: visible.filter(({ kind }) => !mixed.has(kind)), mixed };
}

/**
 * Whether the reader gets a visible item. An audience of live decisions does not get superseded ones; these remain in the
 * state only so that work that rests on them counts as stale.
 */
export function isShown(filter: VisibilityFilter, { kind, state }: Item): boolean {
  return !filter.liveDecisionsOnly || kind !== 'decision' || state['status'] === 'live';
}

/**
 * The visible ones among successive values of an item of a replaced kind. `items` state which steps have failed.
 */
export function filterValues(
  filter: VisibilityFilter,
  values: readonly Item[],
  items: Iterable<Item>,
): readonly Item[] {
  const hasFailed = failuresIn(filter, items);
  return values.filter(({ sources }) => {
    const newest = sources?.at(-1);
    return newest !== undefined && filter.shows(newest, hasFailed);
  });
}

/** Which steps have a failure that the audience sees. */
export function failuresIn(filter: VisibilityFilter, items: Iterable<Item>): HasFailed {
  if (!filter.dependsOnFailures) return never;
  const failed = new Set<string>();
  for (const { kind, key, sources } of items)
    if (kind === 'step-failure' && sources?.some((source) => filter.shows(source, never)))
      failed.add(key);
  return (stepId) => failed.has(stepId);
}

/** As {@link failuresIn}, with a lookup of items instead of a list. */
export function failuresBy(filter: VisibilityFilter, current: ItemLookup): HasFailed {
  if (!filter.dependsOnFailures) return never;
  return (stepId) =>
    current('step-failure', stepId)?.sources?.some((source) => filter.shows(source, never)) ===
    true;
}

function visibilityOfItem(
  filter: VisibilityFilter,
  { kind, sources }: Item,
  hasFailed: HasFailed,
): ItemVisibility {
  if (!sources) return 'mixed';
  const areVisible = sources.map((source) => filter.shows(source, hasFailed));
  if (!areVisible.includes(true)) return 'hidden';
  if (replacedKinds.has(kind)) return areVisible.at(-1) ? 'visible' : 'mixed';
  if (areVisible.includes(false)) return 'mixed';
  return kind === 'decision' && !areWithheldAlike(filter, sources, hasFailed) ? 'mixed' : 'visible';
}

/** Whether the policy withholds the same members from all `DecisionRecorded` events of a decision. */
function areWithheldAlike(
  filter: VisibilityFilter,
  sources: readonly Source[],
  hasFailed: HasFailed,
): boolean {
  const withheldMembers = recordings(sources).map((source) =>
    filter.withheldOf(source, hasFailed)?.join(),
  );
  return new Set(withheldMembers).size <= 1;
}

function withheld(filter: VisibilityFilter, item: Item, pack: (item: Item) => Item): Item {
  const [recording] = recordings(item.sources ?? []);
  const members = recording ? filter.withheldOf(recording, never) : undefined;
  if (!members?.length) return item;
  const { body } = item;
  if (typeof body !== 'object' || body === null) return item;
  return pack({ ...item, body: without(body, members) });
}

function recordings(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ type }) => type === 'DecisionRecorded');
}

function never(): boolean {
  return false;
}
