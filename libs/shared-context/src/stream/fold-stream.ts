import { changedItem } from '../context-state.js';
import { foldEvent } from '../context.fold.js';
import { type Item, type ItemKey } from '../item.js';
import { sourceOf } from '../source.js';
import { baseOf, isContent, rebase } from '../lineage/lineage.js';

import { type ContextId } from './context-stream.js';
import { type DecodedEvent } from './decode-event.js';

/** Reads the events of a context up to a version, from the first one. */
export type ReadEvents = (id: ContextId, version: number) => AsyncIterable<DecodedEvent>;

/** A stretch of versions, both ends included. */
type Stretch = Readonly<{ start: number; end: number }>;

/** What is to be folded of an event; undefined if nothing is. */
type SeeEvent = (event: DecodedEvent) => DecodedEvent | undefined;

/**
 * All items of a context at a version from the streams alone: its own, and those it was forked from. Reads them twice
 * and folds every event once, however many restores there are; or those that `see` lets be folded.
 */
export async function foldStream(
  read: ReadEvents,
  id: ContextId,
  version: number,
  see: SeeEvent = (event) => event,
): Promise<readonly Item[]> {
  const stretches = await findStretches(read, id, version);
  const items = new Map<string, Item>();
  for await (const stored of read(id, version)) {
    const event = see(stored);
    if (!event) continue;
    const base = baseOf(id.contextId, event);
    if (base?.forked) {
      const source = { workspace: id.workspace, contextId: base.contextId };
      const atBase = await foldStream(read, source, base.version, see);
      for (const item of rebase(base, [], atBase).values()) items.set(textOf(item), item);
    }
    const counts = stretches.some(
      ({ start, end }) => start <= event.version && event.version <= end,
    );
    apply(items, event, counts);
  }
  return [...items.values()];
}

/** Of events that a restore took back, only what belongs to the time of the context stays. */
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

/** Where the content at `version` was made. */
async function findStretches(
  read: ReadEvents,
  id: ContextId,
  version: number,
): Promise<readonly Stretch[]> {
  const restores: { at: number; to: number }[] = [];
  for await (const event of read(id, version))
    if (event.type === 'ContextRestored')
      restores.push({ at: event.version, to: event.data.version });
  const stretches: Stretch[] = [];
  let end = version;
  for (const { at, to } of restores.toReversed())
    if (at <= end) {
      stretches.push({ start: at, end });
      end = to;
    }
  return [...stretches, { start: 1, end }];
}

/** Kinds hold no space. */
function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
