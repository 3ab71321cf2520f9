import { type JsonObject, type JsonValue } from '#event-sourcing';

type Compound = readonly JsonValue[] | JsonObject;

/**
 * The members of lists and objects. The names of an object are listed once, because that takes time in proportion to
 * its members.
 */
export class Members {
  readonly #listed = new WeakMap<object, readonly string[]>();

  count(value: Compound): number {
    return isList(value) ? value.length : this.#names(value).length;
  }

  keys(value: Compound): Iterable<string | number> {
    return isList(value) ? value.keys() : this.#names(value);
  }

  /** Whether a value is false in a condition: undefined, null, `false`, 0, and an empty text, list or object. */
  isFalsy(value: JsonValue | undefined): boolean {
    return typeof value === 'object' && value !== null ? this.count(value) === 0 : !value;
  }

  #names(object: JsonObject): readonly string[] {
    const names = this.#listed.get(object) ?? Object.keys(object);
    this.#listed.set(object, names);
    return names;
  }
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
