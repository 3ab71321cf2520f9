import { type Node, findNodeAtLocation, getNodeValue } from 'jsonc-parser';

import { type JsonValue, parseJson } from '#event-sourcing';

import { namesOfPointer } from './json-pointer.js';
import { LineIndex, type TextPosition } from './line-index.js';
import { type TextFault, readTree } from './read-tree.js';

/**
 * A definition as its author wrote it: JSON with comments and trailing commas. Knows where in the text each part of the value is.
 */
export class AuthoredText {
  readonly faults: readonly TextFault[];
  /** Undefined if the text cannot be read; then there are faults. */
  readonly value: JsonValue | undefined;
  readonly #text: string;
  readonly #tree: Node | undefined;
  readonly #lines: LineIndex;

  constructor(text: string) {
    // Editors write a byte order mark in front of the first column.
    this.#text = text.replace(/^\uFEFF/, '');
    this.#lines = new LineIndex(this.#text);
    const { tree, faults } = readTree(this.#text);
    this.#tree = tree;
    this.faults = faults;
    // The parser makes objects without a prototype.
    this.value = tree && parseJson(JSON.stringify(getNodeValue(tree)));
  }

  positionOf(offset: number): TextPosition {
    return this.#lines.positionOf(offset);
  }

  /**
   * Where the value at a pointer is, or the nearest one around it if there is none. `character`: of a text, which of its UTF-16
   * units is meant.
   */
  positionAt(pointer: string, character?: number): TextPosition {
    const node = this.#nodeAt(namesOfPointer(pointer));
    if (!node) return this.positionOf(0);
    const isWithin = character !== undefined && node.type === 'string';
    return this.positionOf(isWithin ? this.#offsetWithin(node, character) : node.offset);
  }

  /** Where the name of the member at a pointer is; of an entry of a list, where its value is. */
  positionOfName(pointer: string): TextPosition {
    const node = this.#nodeAt(namesOfPointer(pointer));
    const { parent } = node ?? {};
    const [name] = parent?.type === 'property' ? (parent.children ?? []) : [node];
    return this.positionOf(name?.offset ?? 0);
  }

  #nodeAt(names: readonly string[]): Node | undefined {
    let node = this.#tree;
    for (const name of names) {
      const inner = node && findNodeAtLocation(node, [node.type === 'array' ? Number(name) : name]);
      if (!inner) return node;
      node = inner;
    }
    return node;
  }

  /** The offset of a unit of a text whose escapes take several characters in the source. */
  #offsetWithin({ offset, length }: Node, character: number): number {
    const unit = /\\u[0-9a-fA-F]{4}|\\.|[^]/y;
    unit.lastIndex = offset + 1;
    for (let left = character; left > 0 && unit.lastIndex < offset + length - 1; left--)
      unit.exec(this.#text);
    return unit.lastIndex;
  }
}
