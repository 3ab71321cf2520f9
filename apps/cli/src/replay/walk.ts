import { type ShownEvent } from './context-event.js';
import { type EventFilter, matches } from './event-filter.js';
import { type History } from './history.js';

/** A place in a history, moved over events that match. */
export class Walk {
  #place = -1;

  constructor(
    private readonly history: Pick<History, 'at'>,
    public filter: EventFilter,
  ) {}

  /** The next event that matches; undefined, and no move, where there is none. */
  next(): Promise<ShownEvent | undefined> {
    return this.#find(this.#place + 1, 1);
  }

  back(): Promise<ShownEvent | undefined> {
    return this.#find(this.#place - 1, -1);
  }

  /** The event that made `version`, or the first behind it that matches. */
  goTo(version: number): Promise<ShownEvent | undefined> {
    return this.#find(version - 1, 1);
  }

  /** The event here where it matches a filter that has changed, else the next one, else the one before. */
  async here(): Promise<ShownEvent | undefined> {
    const place = Math.max(this.#place, 0);
    return (await this.#find(place, 1)) ?? this.#find(place - 1, -1);
  }

  async #find(from: number, direction: 1 | -1): Promise<ShownEvent | undefined> {
    for (let place = from; place >= 0; place += direction) {
      const event = await this.history.at(place);
      if (!event) return undefined;
      if (!matches(event, this.filter)) continue;
      this.#place = place;
      return event;
    }
    return undefined;
  }
}
