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
/** Further back nobody looks for what an author wrote last. */
const furthest = 4_096;

/** The event that recorded a decision, and what its author wrote before. */
@Injectable()
export class DecisionAuthor {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly filteredReader: FilteredReader,
  ) {}

  /** Undefined for what a fork inherited: it was recorded in another context. */
  async recording(id: ContextId, { key, state }: Item): Promise<DecodedEvent | undefined> {
    const { version } = state;
    if (typeof version !== 'number' || version < 1) return undefined;
    const [stored] = await this.store.readStream(contextStream(id), { from: version, limit: 1 });
    const event = stored && decodeEvent(stored);
    return event?.type === 'DecisionRecorded' && event.data.decisionId === key ? event : undefined;
  }

  /**
   * The version of what the author of an event wrote last before it, as far as it is seen; 0 if there is nothing. What
   * happened at the same instant is of the same write: in between nothing could be read.
   */
  async lastWrite(
    id: ContextId,
    filter: VisibilityFilter | undefined,
    event: DecodedEvent,
  ): Promise<number> {
    const [author, instant] = [authorOf(event), happenedAt(event)];
    const isEarlier = (one: DecodedEvent) =>
      authorOf(one) === author && happenedAt(one) !== instant;
    const least = Math.max(0, event.version - 1 - furthest);
    for (let from = event.version - 1; from > least; from -= readAtOnce) {
      const read = { from, direction: 'backwards', limit: readAtOnce } as const;
      const page = await this.store.readStream(contextStream(id), read);
      const seen = await this.filteredReader.filterEvents(id, filter, page.map(decodeEvent));
      const own = seen.filter(isEarlier).map(({ version }) => version);
      if (own.length > 0) return Math.max(...own);
    }
    // Further back is as good as nothing: all there is may be new to the author.
    return 0;
  }
}
