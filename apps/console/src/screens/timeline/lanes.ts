/** Lanes that get a column; further authors share the last one. */
const maxLanes = 8;

/**
 * The lanes of authors, in the order of their first events. The lanes of earlier calls stay, so that a row does not
 * change its lane while the list scrolls.
 */
export class Lanes {
  readonly #lanes = new Map<string, number>();

  laneOf(author: string): number {
    const lane = this.#lanes.get(author) ?? Math.min(this.#lanes.size, maxLanes - 1);
    this.#lanes.set(author, lane);
    return lane;
  }
}
