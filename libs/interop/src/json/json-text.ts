import { type Node, type ParseError, parseTree } from 'jsonc-parser';

import { isExactNumber } from '#event-sourcing';

import { type DocumentPlace, type NamedText } from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { checkParserLimits } from './parser-limits.js';
import { wordingOf } from './syntax-wording.js';

type Path = (string | number)[];

/**
 * A JSON document with the line of each value; comments and trailing commas are accepted. Throws DocumentError if the
 * text is not JSON, or has a member twice, more than 56 levels or more than 500,000 values.
 */
export class JsonText {
  readonly name: string;
  readonly text: string;
  readonly root: Node;
  /** The locations of numbers that no double represents exactly. */
  readonly inexact: readonly DocumentPlace[];
  /** The offset of the first comment. */
  readonly firstComment: number | undefined;
  readonly #firstLine: number;
  readonly #lineStarts: readonly number[];

  constructor({ name, text }: NamedText, firstLine = 1) {
    this.name = name;
    this.text = text;
    this.#firstLine = firstLine;
    this.#lineStarts = lineStartsOf(text);
    // A space replaces a byte order mark, so that offsets stay the same.
    const json = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
    const { firstComment, fault } = checkParserLimits(json);
    if (fault) throw this.fault(fault.offset, fault.detail);
    this.firstComment = firstComment;
    const errors: ParseError[] = [];
    const root = parseTree(json, errors, { allowTrailingComma: true });
    const [error] = errors;
    if (error) throw this.fault(error.offset, wordingOf(error.error));
    if (!root) throw this.fault(0, 'the document is empty: expected a JSON object');
    this.root = root;
    const inexact: DocumentPlace[] = [];
    this.#check(root, [], inexact);
    this.inexact = inexact;
  }

  /** The location of the character at `offset`. */
  placeAt(offset: number, pointer = ''): DocumentPlace {
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { document: this.name, line: this.#firstLine + low, pointer };
  }

  fault(offset: number, detail: string): DocumentError {
    return new DocumentError(this.placeAt(offset), detail);
  }

  /** `path` is the path of the node. It is changed in place, because most values have no fault. */
  #check(node: Node, path: Path, inexact: DocumentPlace[]): void {
    const { type, offset, length, children = [] } = node;
    if (type === 'number' && !isExactNumber(this.text.slice(offset, offset + length)))
      inexact.push(this.placeAt(offset, pointerOf(path)));
    if (type === 'object') this.#refuseDuplicates(children, path);
    for (const [at, child] of children.entries()) {
      const { name, value } = entryOf(child, at);
      path.push(name);
      this.#check(value, path, inexact);
      path.pop();
    }
  }

  #refuseDuplicates(properties: readonly Node[], path: Path): void {
    const names = new Set<unknown>();
    for (const { children: [name] = [] } of properties) {
      if (!name) continue;
      if (names.has(name.value))
        throw new DocumentError(
          this.placeAt(name.offset, pointerOf([...path, String(name.value)])),
          `the member "${String(name.value)}" occurs twice: remove one of them`,
        );
      names.add(name.value);
    }
  }
}

/** A member of an object with its name, or an entry of a list with its index. */
export function entryOf(child: Node, at: number): Readonly<{ name: string; value: Node }> {
  const [name, value] = child.type === 'property' ? (child.children ?? []) : [];
  return name && value ? { name: String(name.value), value } : { name: String(at), value: child };
}

/** RFC 6901. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path
    .map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Lines end with LF, CR LF or CR. */
function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) starts.push(at + 1);
  }
  return starts;
}
