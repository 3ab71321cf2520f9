import { type JsonObject, type JsonValue } from '#event-sourcing';

type Compound = readonly JsonValue[] | JsonObject;

/** What lists and objects hold. An object lists its names once, because that takes as long as it has members. */
export class Members {
  readonly #listed = new WeakMap<object, readonly string[]>();

  count(value: Compound): number {
    return isList(value) ? value.length : this.#names(value).length;
  }

  keys(value: Compound): Iterable<string | number> {
    return isList(value) ? value.keys() : this.#names(value);
  }

  /** Whether a condition takes a value for no: nothing, `false`, 0, and an empty text, list or object. */
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
