import { Injectable } from '@nestjs/common';

import { type StoredEvent } from '#event-sourcing';
import { contextOfStream } from '#shared-context';

import { ContextChanges } from '../long-polls/context-changes.js';
import { workspaceSourceName } from '../long-polls/question.js';

type NewestEvent = Pick<StoredEvent, 'version' | 'position'>;
type FollowedSource = { followers: number; newest: NewestEvent | undefined };

/** Tracks the newest event of each context or workspace that some stream follows. */
@Injectable()
export class NewestEvents {
  readonly #sources = new Map<string, FollowedSource>();

  constructor(private readonly changes: ContextChanges) {}

  /**
   * Resolves once new events of the source (see {@link sourceNameOf}) are tracked. `newest` returns undefined until an
   * event is stored after that.
   */
  async follow(
    source: string,
  ): Promise<Readonly<{ newest: () => NewestEvent | undefined; leave: () => void }>> {
    const followed = this.#sources.get(source) ?? { followers: 0, newest: undefined };
    this.#sources.set(source, followed);
    followed.followers++;
    const leave = () => {
      followed.followers--;
      if (followed.followers === 0) this.#sources.delete(source);
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
    if (this.#sources.size === 0) return;
    const { version, position } = event;
    const id = contextOfStream(event.stream);
    const sources = [event.stream, ...(id ? [workspaceSourceName(id.workspace)] : [])];
    for (const source of sources) {
      const followed = this.#sources.get(source);
      if (followed) followed.newest = { version, position };
    }
  };
}
