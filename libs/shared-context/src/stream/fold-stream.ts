import { changedItem } from '../context-state.js';
import { foldEvent } from '../context.fold.js';
import { type Item, type ItemKey } from '../item.js';
import { sourceOf } from '../source.js';
import { baseOf, isContent, rebase } from '../lineage/lineage.js';

import { type ContextId } from './context-stream.js';
import { type DecodedEvent } from './decode-event.js';

/** Reads the events of a context up to a version, from the first one. */
export type ReadEvents = (id: ContextId, version: number) => AsyncIterable<DecodedEvent>;

/** A range of versions, including both ends. */
type VersionRange = Readonly<{ start: number; end: number }>;

/** Returns the event to fold, or undefined to skip it. */
type EventFilter = (event: DecodedEvent) => DecodedEvent | undefined;

/**
 * Computes all items of a context at a version from streams alone: its own, and those of the contexts from which it was
 * forked. Reads them twice and folds every event once, for any number of restores. `filter` can skip events.
 */
export async function foldStream(
  read: ReadEvents,
  id: ContextId,
  version: number,
  filter: EventFilter = (event) => event,
): Promise<readonly Item[]> {
  const ranges = await findContentRanges(read, id, version);
  const items = new Map<string, Item>();
  for await (const stored of read(id, version)) {
    const event = filter(stored);
    if (!event) continue;
    const base = baseOf(id.contextId, event);
    if (base?.forked) {
      const source = { workspace: id.workspace, contextId: base.contextId };
      const atBase = await foldStream(read, source, base.version, filter);
      for (const item of rebase(base, [], atBase).values()) items.set(textOf(item), item);
    }
    const counts = ranges.some(({ start, end }) => start <= event.version && event.version <= end);
    apply(items, event, counts);
  }
  return [...items.values()];
}

/**
 * Folds an event. If a restore has undone it (`counts` is false), only its changes to the history of the context apply.
 */
function apply(items: Map<string, Item>, event: DecodedEvent, counts: boolean): void {
  const changes = foldEvent(event, (kind, key) => items.get(textOf({ kind, key })));
  const source = sourceOf(event);
  for (const change of changes)
    if (counts || !isContent(change)) {
      if ('removed' in change) items.delete(textOf(change));
      else {
        const before = items.get(textOf(change));
        items.set(textOf(change), changedItem(before, change, { event, source }));
      }
    }
}

/** The ranges of versions whose events created the content at `version`. */
async function findContentRanges(
  read: ReadEvents,
  id: ContextId,
  version: number,
): Promise<readonly VersionRange[]> {
  const restores: { at: number; to: number }[] = [];
  for await (const event of read(id, version))
    if (event.type === 'ContextRestored')
      restores.push({ at: event.version, to: event.data.version });
  const ranges: VersionRange[] = [];
  let end = version;
  for (const { at, to } of restores.toReversed())
    if (at <= end) {
      ranges.push({ start: at, end });
      end = to;
    }
  return [...ranges, { start: 1, end }];
}

/** Unique, as no kind contains a space. */
function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
