import { type CallOptions } from '#event-sourcing';
import { type ContextId, type DecodedEvent, baseOf, decodeEvent } from '#shared-context';

import { type ContextReader } from './context-reader.js';

/** An event at the version at which a context shows what it made: below 1 where it was inherited. */
export type WalkedEvent = Readonly<{ version: number; event: DecodedEvent }>;

/** Versions from the first to the last, both included; -Infinity is the first version inherited. */
type WalkedRange = Readonly<{ from: number; to: number }>;

/** Events up to version `last` of a stream; in the context that is walked they count `shift` less. */
type Branch = Readonly<{ id: ContextId; last: number; shift: number }>;

/**
 * The events of a context in the order of its versions, with those of the contexts it was forked from before its own.
 * Reads a few at a time: who stops early has read little more than it looked at.
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

/** Oldest first; only as far back as the range reaches. */
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

/** The context and version that a context was forked from. */
async function findSource(reader: ContextReader, id: ContextId, options?: CallOptions) {
  for await (const stored of reader.storedTail(id, { after: 0, first: 1 }, options)) {
    const base = baseOf(id.contextId, decodeEvent(stored));
    return base?.forked ? base : undefined;
  }
  return undefined;
}
