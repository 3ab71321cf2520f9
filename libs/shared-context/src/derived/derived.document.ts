import { type JsonObject } from '#event-sourcing';

import { mapSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { renderEntry } from '../listed-entry.js';
import { without } from '../json.js';
import { shownVersion } from '../shown-version.js';
import { derivedFacts } from './derived.item.js';

export const derivedPart = memberPart('derived', {
  schema: mapSchema.meta({
    description: 'Values that transformations derived, by path, with the sources of each',
  }),
  searched: { shape: 'map' },
  kinds: ['derived'],
  listed: [{ kind: 'derived', list: 'derived', render: renderDerived }],
  render: renderAllDerived,
});

/** A derived value with its sources, transformation, author and time. */
function renderDerived(item: Item): JsonObject {
  const { from } = derivedFacts(item);
  const inherited = Number(item.state['countedAs']) - Number(item.state['version']);
  return {
    ...without(renderEntry(item), ['path']),
    from: from.map(({ path, version }) => ({ path, version: shownVersion(version - inherited) })),
  };
}

/** The derived values by path, in the order of the paths. */
export function renderAllDerived(items: readonly Item[]): JsonObject {
  return Object.fromEntries(
    items
      .filter(({ kind }) => kind === 'derived')
      .toSorted((left, right) => (left.key < right.key ? -1 : 1))
      .map((item) => [item.key, renderDerived(item)]),
  );
}
