import { type ContextEvent } from './context-event.js';
import { type EventFilter, matches } from './event-filter.js';
import { type History } from './history.js';

/** A cursor in a history that moves between matching events. */
export class Walk {
  #index = -1;

  constructor(
    private readonly history: Pick<History, 'at'>,
    public filter: EventFilter,
  ) {}

  /** Moves to the next matching event. If there is none, returns undefined and does not move. */
  next(): Promise<ContextEvent | undefined> {
    return this.#find(this.#index + 1, 1);
  }

  back(): Promise<ContextEvent | undefined> {
    return this.#find(this.#index - 1, -1);
  }

  /** Moves to the event of `version`, or to the first matching event after it. */
  goTo(version: number): Promise<ContextEvent | undefined> {
    return this.#find(version - 1, 1);
  }

  /** Returns the current event if it matches a changed filter, or else moves to the next or the previous matching one. */
  async here(): Promise<ContextEvent | undefined> {
    const index = Math.max(this.#index, 0);
    return (await this.#find(index, 1)) ?? this.#find(index - 1, -1);
  }

  async #find(from: number, direction: 1 | -1): Promise<ContextEvent | undefined> {
    for (let index = from; index >= 0; index += direction) {
      const event = await this.history.at(index);
      if (!event) return undefined;
      if (!matches(event, this.filter)) continue;
      this.#index = index;
      return event;
    }
    return undefined;
  }
}
