import {
  type JsonObject,
  type JsonValue,
  parseJson,
  parseJsonArray,
  parseJsonObject,
} from '#event-sourcing';

import { type JsonListener } from './json.listener.js';

/** `JSON.parse` reads pieces of about this many characters in less than a millisecond. */
const defaultPieceLength = 64 * 1024;

/** A container that is not closed yet. Its text from the index `from` is not in `value` yet. */
type Container = {
  readonly isObject: boolean;
  /** Undefined while the container is short enough to be parsed as part of the outer one. */
  value: JsonObject | JsonValue[] | undefined;
  from: number;
  comma: number;
  /** The key of the current entry. */
  key: string;
  /** Whether the current entry is in `value` already. */
  isEntryBuilt: boolean;
};

/**
 * Builds the value of a JSON text while a scanner reads it. Long containers are parsed in pieces, so that no single call takes long.
 * Short containers are parsed by `JSON.parse`, which copies strings (so a short id does not retain a megabyte of text) and makes
 * `__proto__` an own property.
 */
export class JsonBuilder implements JsonListener {
  readonly #open: Container[] = [];
  #root: JsonValue | undefined;

  constructor(
    private readonly text: string,
    private readonly pieceLength = defaultPieceLength,
  ) {}

  /** The value; available after the scanner has reached the end of the text. */
  get value(): JsonValue {
    return this.#root === undefined ? parseJson(this.text) : this.#root;
  }

  opened(at: number, isObject: boolean): void {
    const range = { from: at + 1, comma: at, key: '' };
    this.#open.push({ isObject, value: undefined, ...range, isEntryBuilt: false });
  }

  named(key: string): void {
    const container = this.#open.at(-1);
    if (container) container.key = key;
  }

  separated(at: number): void {
    const container = this.#open.at(-1);
    if (!container) return;
    if (container.isEntryBuilt || at - container.from > this.pieceLength) {
      this.#addPiece(container, at);
      container.from = at + 1;
    }
    container.comma = at;
  }

  closed(at: number): void {
    const container = this.#open.pop();
    if (!container) return;
    const isShort = container.value === undefined && at - container.from <= this.pieceLength;
    if (isShort) return;
    this.#addPiece(container, at);
    const outer = this.#open.at(-1);
    if (outer) this.#addBuilt(outer, container.value ?? null);
    else this.#root = container.value;
  }

  /** Adds the entries between `from` and `end`, unless there is only one and it is built already. */
  #addPiece(container: Container, end: number): void {
    if (container.isEntryBuilt) container.isEntryBuilt = false;
    else addEntries(container, this.text.slice(container.from, end));
  }

  /** Adds an entry that was built separately, after the entries before it. */
  #addBuilt(container: Container, built: JsonValue): void {
    const hasPiece = container.comma >= container.from;
    addEntries(container, hasPiece ? this.text.slice(container.from, container.comma) : '');
    if (Array.isArray(container.value)) container.value.push(built);
    else if (container.value) define(container.value, container.key, built);
    container.isEntryBuilt = true;
  }
}

function addEntries(container: Container, text: string): void {
  if (container.isObject) addMembers(container, parseJsonObject(`{${text}}`));
  else addElements(container, parseJsonArray(`[${text}]`));
}

function addMembers(container: Container, members: JsonObject): void {
  const { value } = container;
  if (value === undefined || Array.isArray(value)) container.value = members;
  else for (const key of Object.keys(members)) define(value, key, members[key] ?? null);
}

function addElements(container: Container, elements: readonly JsonValue[]): void {
  if (!Array.isArray(container.value)) container.value = [...elements];
  else for (const element of elements) container.value.push(element);
}

function define(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  // The cast is safe: the builder created the object.
  else (object as Record<string, JsonValue>)[key] = value;
}
