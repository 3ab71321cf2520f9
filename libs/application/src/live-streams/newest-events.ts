import { Injectable } from '@nestjs/common';

import { type StoredEvent } from '#event-sourcing';
import { contextOfStream } from '#shared-context';

import { ContextChanges } from '../long-polls/context-changes.js';
import { workspacePlace } from '../long-polls/question.js';

type NewestEvent = Pick<StoredEvent, 'version' | 'position'>;
type FollowedPlace = { followers: number; newest: NewestEvent | undefined };

/** Tracks the newest event of each context or workspace that some stream follows. */
@Injectable()
export class NewestEvents {
  readonly #places = new Map<string, FollowedPlace>();

  constructor(private readonly changes: ContextChanges) {}

  /**
   * Resolves once new events of the place (see {@link placeOf}) are tracked. `newest` returns undefined until an event is stored
   * after that.
   */
  async follow(
    place: string,
  ): Promise<Readonly<{ newest: () => NewestEvent | undefined; leave: () => void }>> {
    const followed = this.#places.get(place) ?? { followers: 0, newest: undefined };
    this.#places.set(place, followed);
    followed.followers++;
    const leave = () => {
      followed.followers--;
      if (followed.followers === 0) this.#places.delete(place);
    };
    try {
      await this.changes.listen(this.#note);
    } catch (error) {
      leave();
      throw error;
    }
    return { newest: () => followed.newest, leave };
  }

  readonly #note = (event: StoredEvent): void => {
    if (this.#places.size === 0) return;
    const { version, position } = event;
    const id = contextOfStream(event.stream);
    const places = [event.stream, ...(id ? [workspacePlace(id.workspace)] : [])];
    for (const place of places) {
      const followed = this.#places.get(place);
      if (followed) followed.newest = { version, position };
    }
  };
}
