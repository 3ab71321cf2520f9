import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

/** Copying a member costs about as much as so many steps of an expression. */
const stepsPerMember = 2;

/**
 * A value with others put into it by path; anything but an object on the way of a path is replaced by one. Every object is copied
 * once, however many values are put into it. `spend` is called with the number of steps before they are taken.
 */
export class Overlay {
  readonly #copies = new Set<JsonValue>();

  constructor(
    private whole: JsonValue | undefined,
    private readonly spend: Spend = () => undefined,
  ) {}

  get value(): JsonValue | undefined {
    return this.whole;
  }

  put(names: readonly string[], value: JsonValue): void {
    const last = names.at(-1);
    if (last === undefined) {
      this.whole = value;
      return;
    }
    let inner = this.#own(this.whole);
    this.whole = inner;
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

/** As data: a member called `__proto__` is one like any other. */
function set(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
