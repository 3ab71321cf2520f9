import { type JsonValue } from '#event-sourcing';

/**
 * Which values say no to a condition: nothing, `false`, 0 and what is empty. Of a document, parts that nothing was said
 * about are empty. Each object is asked once, since its answer takes as long as it has members.
 */
export class Emptiness {
  readonly #known = new WeakMap<object, boolean>();

  saysNo(value: JsonValue | undefined): boolean {
    if (typeof value !== 'object' || value === null) return !value;
    const known = this.#known.get(value) ?? Object.keys(value).length === 0;
    this.#known.set(value, known);
    return known;
  }
}
