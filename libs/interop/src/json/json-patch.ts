import { type Node } from 'jsonc-parser';

import { type JsonValue } from '#event-sourcing';

import { JsonLayout } from './json-layout.js';
import { type JsonText, entryOf } from './json-text.js';

type Path = readonly (string | number)[];

/** Changes of a value and of everything in it, by path. */
class Changes {
  value: JsonValue | undefined;
  isRemoved = false;
  readonly inner = new Map<string, Changes>();
  readonly appended: JsonValue[] = [];

  at(path: Path): Changes {
    let found: Changes = this;
    for (const name of path) {
      const key = String(name);
      const next = found.inner.get(key) ?? new Changes();
      found.inner.set(key, next);
      found = next;
    }
    return found;
  }

  /** Whether the changes have no effect on an absent value. */
  get isEmpty(): boolean {
    if (this.value !== undefined || this.appended.length > 0) return false;
    return this.isRemoved || [...this.inner.values()].every(({ isEmpty }) => isEmpty);
  }

  /** The result of the changes for an absent value. */
  fresh(): JsonValue {
    if (this.value !== undefined) return this.value;
    if (this.appended.length > 0) return this.appended;
    const filled = [...this.inner].filter(([, { isEmpty }]) => !isEmpty);
    return Object.fromEntries(filled.map(([name, changes]) => [name, changes.fresh()]));
  }
}

/** Changes of a JSON document that preserve the text of everything else. */
export class JsonPatch {
  readonly #source: JsonText;
  readonly #layout: JsonLayout;
  readonly #changes = new Changes();
  #size = 0;

  constructor(source: JsonText) {
    this.#source = source;
    this.#layout = new JsonLayout(source.text);
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Replaces the value at a path, or adds a member; creates missing objects of the path. */
  set(path: Path, value: JsonValue): void {
    this.#size += 1;
    this.#changes.at(path).value = value;
  }

  /** Removes a member or an entry of a list. */
  remove(path: Path): void {
    this.#size += 1;
    this.#changes.at(path).isRemoved = true;
  }

  /** Adds an entry to the list at a path, which is created if it does not exist. */
  append(path: Path, value: JsonValue): void {
    this.#size += 1;
    this.#changes.at(path).appended.push(value);
  }

  /** The whole document with the changes. */
  print(): string {
    if (this.isEmpty) return this.#source.text;
    const { text, root } = this.#source;
    const printed = this.#value(root, this.#changes, 0);
    return text.slice(0, root.offset) + printed + text.slice(endOf(root));
  }

  #value(node: Node, changes: Changes | undefined, depth: number): string {
    const isFitting = changes && (node.type === 'object' || node.type === 'array');
    if (!changes || (!isFitting && changes.isEmpty))
      return this.#source.text.slice(node.offset, endOf(node));
    if (changes.value !== undefined || !isFitting)
      return this.#layout.print(changes.fresh(), this.#layout.lineAt(depth));
    return this.#container(node, changes, depth);
  }

  #container(node: Node, changes: Changes, depth: number): string {
    const { children = [] } = node;
    const entries = children.map((child, at) => ({ ...entryOf(child, at), child }));
    const retained = entries.filter(({ name }) => changes.inner.get(name)?.isRemoved !== true);
    const [first] = children;
    const line = first ? this.#lineBefore(node, first) : this.#layout.lineAt(depth + 1);
    const printed = retained.map(({ name, child, value }) => {
      const before = this.#source.text.slice(child.offset, value.offset);
      return before + this.#value(value, changes.inner.get(name), depth + 1);
    });
    const all = [...printed, ...this.#added(entries, { node, changes, line })];
    const gaps = retained.length === entries.length ? this.#gaps(children) : [];
    const separator = line === '' ? ', ' : `,${line}`;
    const body = all.map((text, at) => (at === 0 ? text : (gaps[at - 1] ?? separator) + text));
    return this.#enclosed(node, body.join(''), { line, depth });
  }

  /** The brackets of an object or a list with their content and the existing white space. */
  #enclosed(
    node: Node,
    body: string,
    { line, depth }: Readonly<{ line: string; depth: number }>,
  ): string {
    const [open, close] = node.type === 'object' ? ['{', '}'] : ['[', ']'];
    if (body === '') return open + close;
    const [first, last] = [node.children?.[0], node.children?.at(-1)];
    if (!first || !last) return open + line + body + this.#layout.lineAt(depth) + close;
    const head = this.#source.text.slice(node.offset, first.offset);
    return head + body + this.#source.text.slice(endOf(last), endOf(node));
  }

  /** New members, or entries, of an object or a list. */
  #added(
    entries: readonly Readonly<{ name: string }>[],
    { node, changes, line }: Readonly<{ node: Node; changes: Changes; line: string }>,
  ): string[] {
    if (node.type === 'array')
      return changes.appended.map((value) => this.#layout.print(value, line));
    const known = new Set(entries.map(({ name }) => name));
    return [...changes.inner]
      .filter(([name, { isEmpty }]) => !known.has(name) && !isEmpty)
      .map(([name, inner]) => {
        const colon = line === '' && this.#layout.newline === '' ? ':' : ': ';
        return JSON.stringify(name) + colon + this.#layout.print(inner.fresh(), line);
      });
  }

  /** The texts between adjacent entries. */
  #gaps(children: readonly Node[]): string[] {
    return children
      .slice(1)
      .map((child, at) => this.#source.text.slice(endOf(children[at] ?? child), child.offset));
  }

  /** The line end and indentation before the first entry; '' if it is on the line of the bracket. */
  #lineBefore(node: Node, first: Node): string {
    const space = this.#source.text.slice(node.offset + 1, first.offset);
    const at = Math.max(space.lastIndexOf('\n'), space.lastIndexOf('\r'));
    return at < 0 ? '' : this.#layout.newline + space.slice(at + 1);
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
