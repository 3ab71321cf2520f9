import { type Item, type ItemKind, type ItemLookup, type Source } from '#shared-context';

import { type VisibilityFilter, type HasFailed, without } from './visibility-filter.js';

/**
 * Kinds that no narrower audience reads: they serve deciding, or say more than one event does. A run is made by events of all
 * its steps, and an imported document of all that it became, whoever may see those.
 */
const unread: ReadonlySet<ItemKind> = new Set([
  'source',
  ...(['topic', 'counter', 'idempotency', 'summarized'] as const),
  ...(['run', 'run-input', 'run-step', 'run-frozen'] as const),
]);

/** An item of these is what its newest event says, whatever was before. */
const replaced: ReadonlySet<ItemKind> = new Set([
  'step-output',
  'step-failure',
  'output',
  'output-value',
  'derived',
  'newest-review',
  'newest-signal',
]);

/**
 * What an audience sees of items. `mixed`: kinds of which events that it sees and events that it does not see have made
 * the same item; those it sees must be folded by themselves to know what it is to them.
 */
type FilteredItems = Readonly<{ shown: readonly Item[]; mixed: ReadonlySet<ItemKind> }>;

/** Members may be gone, or be what they were, by an event that left no trace but here. */
function patchedKind({ key }: Item): ItemKind {
  return key === 'global' ? 'global' : 'preference';
}

type ItemVisibility = 'shown' | 'hidden' | 'mixed';

/**
 * The items that the visible events alone would have made, as far as the items tell. `keep`: how items are kept that are
 * made here, without what is withheld.
 */
export function filterItems(
  filter: VisibilityFilter,
  items: readonly Item[],
  keep: (item: Item) => Item = (item) => item,
): FilteredItems {
  const hasFailed = failuresIn(filter, items);
  const shown: Item[] = [];
  const mixed = new Set<ItemKind>();
  for (const item of items.filter(({ kind }) => !unread.has(kind))) {
    const visibility = visibilityOfItem(filter, item, hasFailed);
    if (visibility === 'mixed') mixed.add(item.kind === 'patched' ? patchedKind(item) : item.kind);
    else if (visibility === 'shown' && item.kind !== 'patched')
      shown.push(item.kind === 'decision' ? withheld(filter, item, keep) : item);
  }
  return { shown: shown.filter(({ kind }) => !mixed.has(kind)), mixed };
}

/**
 * Whether an item is shown by itself, among all that are seen: a decision that is not in force tells others that what
 * they rest on is gone, and may not be shown for all that.
 */
export function isShown(filter: VisibilityFilter, { kind, state }: Item): boolean {
  return !filter.liveDecisionsOnly || kind !== 'decision' || state['status'] === 'live';
}

/**
 * Of the values an item of a replaced kind has had, those that the audience sees; `items` are those that say which steps
 * have failed.
 */
export function filterValues(
  filter: VisibilityFilter,
  values: readonly Item[],
  items: Iterable<Item>,
): readonly Item[] {
  const hasFailed = failuresIn(filter, items);
  return values.filter(({ sources }) => {
    const made = sources?.at(-1);
    return made !== undefined && filter.shows(made, hasFailed);
  });
}

/** Steps with a failure that the audience sees: an event of its own, so whether it does depends on no other step. */
export function failuresIn(filter: VisibilityFilter, items: Iterable<Item>): HasFailed {
  if (!filter.asksForFailures) return never;
  const failed = new Set<string>();
  for (const { kind, key, sources } of items)
    if (kind === 'step-failure' && sources?.some((source) => filter.shows(source, never)))
      failed.add(key);
  return (stepId) => failed.has(stepId);
}

/** The same of items by their names. */
export function failuresBy(filter: VisibilityFilter, current: ItemLookup): HasFailed {
  if (!filter.asksForFailures) return never;
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
  const seen = sources.map((source) => filter.shows(source, hasFailed));
  if (!seen.includes(true)) return 'hidden';
  if (replaced.has(kind)) return seen.at(-1) ? 'shown' : 'mixed';
  if (seen.includes(false)) return 'mixed';
  return kind === 'decision' && !isOneSight(filter, sources, hasFailed) ? 'mixed' : 'shown';
}

/** Whether all that recorded decisions tell of a decision is withheld alike, so that no matter which one recorded it. */
function isOneSight(
  filter: VisibilityFilter,
  sources: readonly Source[],
  hasFailed: HasFailed,
): boolean {
  const visibleForms = recordings(sources).map((source) =>
    filter.withheldOf(source, hasFailed)?.join(),
  );
  return new Set(visibleForms).size <= 1;
}

function withheld(filter: VisibilityFilter, item: Item, keep: (item: Item) => Item): Item {
  const [recording] = recordings(item.sources ?? []);
  const members = recording ? filter.withheldOf(recording, never) : undefined;
  if (!members?.length) return item;
  const { body } = item;
  if (typeof body !== 'object' || body === null) return item;
  return keep({ ...item, body: without(body, members) });
}

function recordings(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ type }) => type === 'DecisionRecorded');
}

function never(): boolean {
  return false;
}
