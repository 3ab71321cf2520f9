import { type StoredEvent } from '#event-sourcing';
import {
  type ContextId,
  type ItemKey,
  contextStream,
  decodeEvent,
  replacesWholeState,
  touchedKeys,
} from '#shared-context';

/** The events that may change an answer: those of some types, of any type, or those that may change some items. */
type AwaitedEvents =
  | Readonly<{ types: readonly string[] | 'any'; after?: number | undefined }>
  | Readonly<{ items: readonly ItemKey[] }>;

/** What long polls wait for. Those that wait for the same share one read at each change. */
export type Question<Found> = Readonly<{
  /** Requests whose questions have the same name must be entitled to the very same answer. */
  name: string;
  /** One context, or all of a workspace. */
  of: ContextId | Readonly<{ workspace: string }>;
  awaited: AwaitedEvents;
  /**
   * Reads for all requests of the group, and so with neither the signal nor the permissions of one. A read that has found nothing
   * in a part of the data calls `goOn` to learn whether to continue; if not, it may return what it has.
   */
  read: (goOn: (found: Found) => boolean) => Promise<Found>;
  isThere(found: Found): boolean;
}>;

/** Where the events come from that a question waits for: the name of a stream, or of a workspace. */
export function placeOf({ of }: Pick<Question<unknown>, 'of'>): string {
  return 'contextId' in of ? contextStream(of) : workspacePlace(of.workspace);
}

/** No stream of a context is named like this. */
export function workspacePlace(workspace: string): string {
  return `workspace ${workspace}`;
}

export function nameOfItem({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}

/** Names of the items that an event may change; undefined if it may change any. */
export function changedItems(event: StoredEvent): readonly string[] | undefined {
  try {
    const decoded = decodeEvent(event);
    return replacesWholeState(decoded) ? undefined : touchedKeys(decoded).map(nameOfItem);
  } catch {
    // The reads that follow report what cannot be decoded.
    return undefined;
  }
}
