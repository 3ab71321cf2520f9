import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { jsonEquals } from '../json.js';

/** An item that differs between two states; at least one of `before` and `after` is defined. */
export type ChangedItem = Readonly<{
  kind: ItemKind;
  key: string;
  before: Item | undefined;
  after: Item | undefined;
}>;

/** The items that differ: removed ones first, then the others in the order of their latest change. */
export function changedItems(
  before: Iterable<Item>,
  after: Iterable<Item>,
): readonly ChangedItem[] {
  const pairs = new Map<string, ChangedItem>();
  for (const item of before)
    pairs.set(textOf(item), { kind: item.kind, key: item.key, before: item, after: undefined });
  for (const item of after) {
    const earlier = pairs.get(textOf(item))?.before;
    pairs.set(textOf(item), { kind: item.kind, key: item.key, before: earlier, after: item });
  }
  return [...pairs.values()].filter(differs).toSorted(byVersion);
}

/** An output that was added again with the same content is a new output, although only its version differs. */
function differs({ kind, before, after }: ChangedItem): boolean {
  if (!before || !after) return true;
  if (kind === 'step-output' && before.fromVersion !== after.fromVersion) return true;
  return !jsonEquals(before.state, after.state) || !jsonEquals(before.body, after.body);
}

function byVersion(left: ChangedItem, right: ChangedItem): number {
  const [a, b] = [left.after?.fromVersion ?? 0, right.after?.fromVersion ?? 0];
  if (a !== b) return a - b;
  return textOf(left) < textOf(right) ? -1 : 1;
}

function textOf({ kind, key }: Pick<Item, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}
