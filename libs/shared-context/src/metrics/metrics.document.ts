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

const measured: ReadonlySet<ItemKind> = new Set(['task', 'phase', 'loop', 'review', 'baseline']);

/**
 * Figures of the work, from what happened and the baseline it started from; nothing where nothing of the kind was said.
 * `until`: the time of the newest event, for there is no other clock.
 */
function renderMetrics(
  items: readonly Item[],
  { current, until }: Readonly<{ current: ItemLookup; until: string }>,
): JsonObject {
  const isMeasured = items.some(({ kind }) => measured.has(kind));
  if (!isMeasured && creationIn(current).estimates === undefined) return {};
  const taken = countersOf(current(baselineKey.kind, baselineKey.key));
  return { ...countWork(items, taken), ...measureTime(items, { taken, until, current }) };
}

/** A baseline as it was taken over. */
function renderBaseline({ body }: Item): JsonObject {
  return { baseline: body ?? null };
}
