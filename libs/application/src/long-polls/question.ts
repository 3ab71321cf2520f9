import { type StoredEvent } from '#event-sourcing';
import {
  type ContextId,
  type ItemKey,
  contextStream,
  decodeEvent,
  replacesWholeState,
  touchedKeys,
} from '#shared-context';

/** The events that may change an answer: events of some types, of any type, or events that may change some items. */
type AwaitedEvents =
  | Readonly<{ types: readonly string[] | 'any'; after?: number | undefined }>
  | Readonly<{ items: readonly ItemKey[] }>;

/** A question that long polls wait for. Long polls with the same question share one read per change. */
export type Question<Found> = Readonly<{
  /** Requests whose questions have the same name must be entitled to the same answer. */
  name: string;
  /** One context, or all contexts of a workspace. */
  of: ContextId | Readonly<{ workspace: string }>;
  awaited: AwaitedEvents;
  /**
   * Reads for all requests of the group, so with neither the signal nor the permissions of a single one. A read that finds no
   * answer in a part of the data calls `goOn` to learn whether to continue; if not, it may return an empty answer.
   */
  read: (goOn: (found: Found) => boolean) => Promise<Found>;
  hasAnswer(found: Found): boolean;
}>;

/** The source of the events that a question waits for: the name of a stream, or of a workspace. */
export function sourceNameOf({ of }: Pick<Question<unknown>, 'of'>): string {
  return 'contextId' in of ? contextStream(of) : workspaceSourceName(of.workspace);
}

/** Differs from the name of every stream of a context. */
export function workspaceSourceName(workspace: string): string {
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
    // The following reads report an event that cannot be decoded.
    return undefined;
  }
}
