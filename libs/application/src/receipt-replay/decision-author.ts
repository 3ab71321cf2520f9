import { Inject, Injectable } from '@nestjs/common';

import { type EventStore } from '#event-sourcing';
import {
  type ContextId,
  type DecodedEvent,
  type Item,
  authorOf,
  contextStream,
  decodeEvent,
  happenedAt,
} from '#shared-context';
import { type VisibilityFilter, FilteredReader } from '#visibility';

import { EVENT_STORE } from '../tokens.js';

const readAtOnce = 256;
/** The maximum number of earlier events in which the previous write of an author is searched for. */
const maxDistance = 4_096;

/** Finds the event that recorded a decision, and the previous write of its author. */
@Injectable()
export class DecisionAuthor {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly filteredReader: FilteredReader,
  ) {}

  /** Undefined for an inherited decision of a fork: it was recorded in another context. */
  async recording(id: ContextId, { key, state }: Item): Promise<DecodedEvent | undefined> {
    const { version } = state;
    if (typeof version !== 'number' || version < 1) return undefined;
    const [stored] = await this.store.readStream(contextStream(id), { from: version, limit: 1 });
    const event = stored && decodeEvent(stored);
    return event?.type === 'DecisionRecorded' && event.data.decisionId === key ? event : undefined;
  }

  /**
   * The version of the last visible write of the author before an event; 0 if there is none. Events of the same instant
   * belong to the same write: the author could read nothing in between.
   */
  async lastWrite(
    id: ContextId,
    filter: VisibilityFilter | undefined,
    event: DecodedEvent,
  ): Promise<number> {
    const [author, instant] = [authorOf(event), happenedAt(event)];
    const isEarlier = (one: DecodedEvent) =>
      authorOf(one) === author && happenedAt(one) !== instant;
    const oldest = Math.max(0, event.version - 1 - maxDistance);
    for (let from = event.version - 1; from > oldest; from -= readAtOnce) {
      const read = { from, direction: 'backwards', limit: readAtOnce } as const;
      const page = await this.store.readStream(contextStream(id), read);
      const visible = await this.filteredReader.filterEvents(id, filter, page.map(decodeEvent));
      const own = visible.filter(isEarlier).map(({ version }) => version);
      if (own.length > 0) return Math.max(...own);
    }
    // An older write is treated as none: everything may be new to the author.
    return 0;
  }
}
