import { type ListedKind } from '../document-part.js';
import { documentParts } from '../document-parts.js';
import { type ItemKind } from '../item-kinds.js';
import { type ChangedItem } from './changed-item.js';
import { type Replacement } from './step.comparison.js';

/** An entry that was added, changed or removed. `part`: its list in the document; `key`: its id or name there. */
export type ChangedEntry = Replacement & Readonly<{ part: string; key: string }>;

const listedKinds: ReadonlyMap<ItemKind, ListedKind> = new Map(
  documentParts.flatMap(({ listed = [] }) => listed.map((one) => [one.kind, one] as const)),
);

export const entryKinds: readonly ItemKind[] = [...listedKinds.keys()];

export function compareEntries(changed: readonly ChangedItem[]): ChangedEntry[] {
  return changed.flatMap(({ kind, key, before, after }) => {
    const listed = listedKinds.get(kind);
    if (!listed) return [];
    const { list, render } = listed;
    return [
      {
        part: list,
        key,
        before: before ? render(before) : null,
        after: after ? render(after) : null,
      },
    ];
  });
}
