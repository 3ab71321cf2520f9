import { type Entry } from '../entries/entry.js';
import { rollupRef } from '../entries/item-ref.js';
import { CurrentStateSection } from '../entries/current-state-section.js';
import { type PinnedItem } from './pinned-items.js';
import { type Omission } from './pinned-selection.js';
import { type VersionGroup } from './version-groups.js';

const nouns: ReadonlyMap<string, string> = new Map([
  ['creation', 'input of the context'],
  ['decision', 'live decision'],
  ['requirement', 'constraint'],
  ['preference', 'preference'],
  ['global', 'global constraint'],
  ['blocker', 'open blocker'],
  ['handover', 'open handover'],
  ['input-request', 'requested input'],
  ['loop', 'circuit breaker'],
]);

/** A line for the items of one kind that are not shown individually, with a ref to all of them. */
export function omissionPart({ kind, items }: Omission): CurrentStateSection {
  const range = versionsOf(items);
  return linePart(`- ${items.length} more ${nounOf(kind, items.length)}`, range, items);
}

/** One line for items of several kinds. */
export function restPart(omissions: readonly Omission[]): CurrentStateSection {
  const items = omissions.flatMap((omission) => omission.items);
  return linePart(`- not shown: ${countsOf(items)}`, versionsOf(items), items);
}

/** One line for decisions that are superseded or rejected. */
export function pastPart(entries: readonly Entry[]): CurrentStateSection {
  const noun = entries.length === 1 ? 'decision' : 'decisions';
  const items = entries.map((entry) => ({
    version: Math.max(entry.version, 1),
    size: entry.size * 4,
  }));
  return linePart(`- ${entries.length} ${noun} no longer in force`, versionsOf(items), items);
}

/** One line for everything. */
export function everythingPart(items: readonly PinnedItem[], newest: number): CurrentStateSection {
  const counts = items.length === 0 ? '' : `, with ${countsOf(items)}`;
  return linePart(`- everything else${counts}`, { from: 1, to: newest }, items);
}

function linePart(
  words: string,
  { from, to }: VersionGroup,
  items: readonly Pick<PinnedItem, 'size'>[],
): CurrentStateSection {
  const ref = rollupRef(from, to);
  const text = `${words}: ${ref}\n`;
  const covers = Math.ceil(items.reduce((sum, { size }) => sum + size, 0) / 4);
  return new CurrentStateSection({
    ref,
    section: 'state',
    version: to,
    whole: text,
    brief: text,
    pinned: true,
    shownAs: { form: 'rollup', covers },
  });
}

function countsOf(items: readonly PinnedItem[]): string {
  const kinds = Map.groupBy(items, ({ kind }) => kind);
  return [...nouns.keys()]
    .flatMap((kind) => {
      const count = kinds.get(kind)?.length ?? 0;
      return count > 0 ? [`${count} ${nounOf(kind, count)}`] : [];
    })
    .join(', ');
}

function versionsOf(items: readonly Pick<PinnedItem, 'version'>[]): VersionGroup {
  let [from, to] = [Infinity, 1];
  for (const { version } of items) [from, to] = [Math.min(from, version), Math.max(to, version)];
  return { from: Math.min(from, to), to };
}

function nounOf(kind: string, count: number): string {
  const noun = nouns.get(kind) ?? kind;
  return count === 1 ? noun : `${noun}s`;
}
