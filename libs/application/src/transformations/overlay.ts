import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

/** The cost of copying one member, in steps of an expression. */
const stepsPerMember = 2;

/**
 * A value into which others are placed by path; a value on the path that is not an object is replaced by one. Every object is
 * copied once for all values that are placed into it. `spend` is called with the number of steps before they are taken.
 */
export class Overlay {
  readonly #copies = new Set<JsonValue>();

  constructor(
    private root: JsonValue | undefined,
    private readonly spend: Spend = () => undefined,
  ) {}

  get value(): JsonValue | undefined {
    return this.root;
  }

  put(names: readonly string[], value: JsonValue): void {
    const last = names.at(-1);
    if (last === undefined) {
      this.root = value;
      return;
    }
    let inner = this.#own(this.root);
    this.root = inner;
    for (const name of names.slice(0, -1)) {
      const next = this.#own(Object.hasOwn(inner, name) ? inner[name] : undefined);
      set(inner, name, next);
      inner = next;
    }
    set(inner, last, value);
  }

  /** An object that belongs to this overlay and may be changed. */
  #own(value: JsonValue | undefined): JsonObject {
    const object = isJsonObject(value) ? value : {};
    if (this.#copies.has(object)) return object;
    this.spend(stepsPerMember * Object.keys(object).length);
    const copy = { ...object };
    this.#copies.add(copy);
    return copy;
  }
}

/** Defines the member, so that one named `__proto__` is treated like any other. */
function set(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
