import { type Node, findNodeAtLocation, getNodeValue } from 'jsonc-parser';

import { type JsonValue, parseJson } from '#event-sourcing';

import { namesOfPointer } from './json-pointer.js';
import { LineIndex, type TextPosition } from './line-index.js';
import { type TextFault, readTree } from './read-tree.js';

/**
 * A definition as its author wrote it: JSON with comments and trailing commas. Maps each part of the value to its
 * position in the text.
 */
export class AuthoredText {
  readonly faults: readonly TextFault[];
  /** Undefined if the text cannot be read; `faults` then has at least one entry. */
  readonly value: JsonValue | undefined;
  readonly #text: string;
  readonly #tree: Node | undefined;
  readonly #lines: LineIndex;

  constructor(text: string) {
    // Editors do not count a byte order mark as a column.
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
   * The position of the value at a pointer, or of the nearest value around it if there is none. `character`: the index
   * of a UTF-16 unit within a text value.
   */
  positionAt(pointer: string, character?: number): TextPosition {
    const node = this.#nodeAt(namesOfPointer(pointer));
    if (!node) return this.positionOf(0);
    const isWithin = character !== undefined && node.type === 'string';
    return this.positionOf(isWithin ? this.#offsetWithin(node, character) : node.offset);
  }

  /** The position of the member's name; for an entry of a list, of its value. */
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

  /** The offset of a UTF-16 unit in a text, in which escapes take several characters. */
  #offsetWithin({ offset, length }: Node, character: number): number {
    const unit = /\\u[0-9a-fA-F]{4}|\\.|[^]/y;
    unit.lastIndex = offset + 1;
    for (let left = character; left > 0 && unit.lastIndex < offset + length - 1; left--)
      unit.exec(this.#text);
    return unit.lastIndex;
  }
}
