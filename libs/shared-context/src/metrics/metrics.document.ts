import { type JsonObject } from '#event-sourcing';

import { mapSchema, memberPart } from '../document-part.js';
import { type Item, type ItemLookup } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { creationIn } from '../life/life.fold.js';
import { baselineKey, countersOf } from './baseline.item.js';
import { countWork } from './work-figures.js';
import { measureTime } from './work-time.js';

export const metricsPart = memberPart('metrics', {
  schema: mapSchema.meta({ description: 'Empty if there is nothing to measure' }),
  searched: null,
  kinds: ['task', 'phase', 'loop', 'review', 'baseline', 'creation'],
  listed: [{ kind: 'baseline', list: 'metrics', render: renderBaseline }],
  render: (items, { current, facts }) =>
    renderMetrics(items, { current, until: facts.lastModifiedAt }),
});

const measuredKinds: ReadonlySet<ItemKind> = new Set([
  'task',
  'phase',
  'loop',
  'review',
  'baseline',
]);

/**
 * Figures of the work, from the items and the baseline; empty if there are none. `until`: the time of the newest event,
 * which is the only clock.
 */
function renderMetrics(
  items: readonly Item[],
  { current, until }: Readonly<{ current: ItemLookup; until: string }>,
): JsonObject {
  const isMeasured = items.some(({ kind }) => measuredKinds.has(kind));
  if (!isMeasured && creationIn(current).estimates === undefined) return {};
  const counters = countersOf(current(baselineKey.kind, baselineKey.key));
  return {
    ...countWork(items, counters),
    ...measureTime(items, { baseline: counters, until, current }),
  };
}

/** A baseline as it was imported. */
function renderBaseline({ body }: Item): JsonObject {
  return { baseline: body ?? null };
}
