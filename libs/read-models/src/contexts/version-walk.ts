import { type CallOptions } from '#event-sourcing';
import { type ContextId, type DecodedEvent, baseOf, decodeEvent } from '#shared-context';

import { type ContextReader } from './context-reader.js';

/** An event and its version in the context that is walked; below 1 if inherited. */
export type WalkedEvent = Readonly<{ version: number; event: DecodedEvent }>;

/** Versions from the first to the last, both included; -Infinity is the first inherited version. */
type WalkedRange = Readonly<{ from: number; to: number }>;

/** Events of a stream up to version `last`; `shift` is subtracted to get versions of the walked context. */
type Branch = Readonly<{ id: ContextId; last: number; shift: number }>;

/**
 * The events of a context in the order of its versions; events of the contexts that it was forked from come first.
 * Reads in small pages, so that a caller that stops early has read little more than it used.
 */
export async function* walkVersions(
  reader: ContextReader,
  id: ContextId,
  { from, to }: WalkedRange,
  options?: CallOptions,
): AsyncGenerator<WalkedEvent> {
  for (const { id: of, last, shift } of await findBranches(reader, id, { from, to }, options)) {
    const range = { after: Math.max(from + shift - 1, 0), until: last };
    for await (const event of reader.tail(of, range, options))
      yield { version: event.version - shift, event };
  }
}

/** Oldest first; goes back only as far as the range needs. */
async function findBranches(
  reader: ContextReader,
  { workspace, contextId }: ContextId,
  { from, to }: WalkedRange,
  options?: CallOptions,
): Promise<readonly Branch[]> {
  const branches: Branch[] = [{ id: { workspace, contextId }, last: to, shift: 0 }];
  for (;;) {
    const [oldest] = branches;
    if (!oldest || from > -oldest.shift) return branches;
    const base = await findSource(reader, oldest.id, options);
    if (!base) return branches;
    const shift = oldest.shift + base.version;
    branches.unshift({ id: { workspace, contextId: base.contextId }, last: base.version, shift });
  }
}

/** The context and version that a context was forked from; undefined if it is not a fork. */
async function findSource(reader: ContextReader, id: ContextId, options?: CallOptions) {
  for await (const stored of reader.storedTail(id, { after: 0, first: 1 }, options)) {
    const base = baseOf(id.contextId, decodeEvent(stored));
    return base?.forked ? base : undefined;
  }
  return undefined;
}
