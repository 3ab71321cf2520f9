import { type Node } from 'jsonc-parser';

import { type JsonValue } from '#event-sourcing';

import { type DocumentPlace } from '../documents/document-format.js';
import { type JsonText, pointerOf } from './json-text.js';

type Path = readonly (string | number)[];

/** A value in a JSON document, with its location. */
export class JsonPart {
  readonly #source: JsonText;
  readonly #node: Node;
  /** Members by name, indexed on first use, because an object may have very many. */
  #named: ReadonlyMap<string, JsonPart> | undefined;

  constructor(
    source: JsonText,
    node: Node = source.root,
    readonly path: Path = [],
  ) {
    this.#source = source;
    this.#node = node;
  }

  get isObject(): boolean {
    return this.#node.type === 'object';
  }

  get isArray(): boolean {
    return this.#node.type === 'array';
  }

  get isNull(): boolean {
    return this.#node.type === 'null';
  }

  get start(): number {
    return this.#node.offset;
  }

  get end(): number {
    return this.#node.offset + this.#node.length;
  }

  get place(): DocumentPlace {
    return this.#source.placeAt(this.start, pointerOf(this.path));
  }

  /** Undefined if the value is not an object or has no member of this name. */
  member(name: string): JsonPart | undefined {
    this.#named ??= new Map(this.members());
    return this.#named.get(name);
  }

  /** The members of an object, in their order. */
  members(): readonly (readonly [name: string, value: JsonPart])[] {
    if (!this.isObject) return [];
    return (this.#node.children ?? []).flatMap(({ children: [name, value] = [] }) => {
      if (!name || !value) return [];
      const known = String(name.value);
      return [[known, new JsonPart(this.#source, value, [...this.path, known])] as const];
    });
  }

  /** The elements of a list. */
  elements(): readonly JsonPart[] {
    if (!this.isArray) return [];
    const { children = [] } = this.#node;
    return children.map((node, at) => new JsonPart(this.#source, node, [...this.path, at]));
  }

  value(): JsonValue {
    return valueOf(this.#node);
  }
}

/** Unlike the function of the parser, creates members of any name, including `__proto__`. */
function valueOf({ type, children = [], value }: Node): JsonValue {
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value as JsonValue;
  return Object.fromEntries(
    children.flatMap(({ children: [name, inner] = [] }) =>
      name && inner ? [[String(name.value), valueOf(inner)] as const] : [],
    ),
  );
}
