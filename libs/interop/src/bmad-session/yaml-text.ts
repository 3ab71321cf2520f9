import { type Document, LineCounter, isNode, parseDocument } from 'yaml';

import { type JsonObject, type JsonValue, isJsonObject, parseJson } from '#event-sourcing';

import { type DocumentPlace, type NamedText } from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { pointerOf } from '../json/json-text.js';

/** Rules and transformations are written by hand, and the parser is recursive. */
const maxLength = 1_000_000;

/** A YAML document that is an object. Throws DocumentError for any other document. */
export class YamlText {
  readonly value: JsonObject;
  readonly #name: string;
  readonly #document: Document;
  readonly #lines = new LineCounter();

  constructor({ name, text }: NamedText) {
    this.#name = name;
    if (text.length > maxLength)
      throw this.#fault(1, `has more than ${maxLength} characters: divide the document`);
    this.#document = this.#parse(text);
    const [error] = this.#document.errors;
    if (error) throw this.#fault(this.#lines.linePos(error.pos[0]).line, firstLine(error.message));
    this.value = this.#objectIn(this.#document);
  }

  placeAt(path: readonly string[]): DocumentPlace {
    const node = path.length === 0 ? undefined : this.#document.getIn(path, true);
    const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    const line = Math.max(1, this.#lines.linePos(offset).line);
    return { document: this.#name, line, pointer: pointerOf(path) };
  }

  #parse(text: string): Document {
    try {
      return parseDocument(text, { lineCounter: this.#lines });
    } catch (error) {
      if (error instanceof RangeError)
        throw this.#fault(1, 'is nested too deep: remove some levels');
      throw error;
    }
  }

  #objectIn(document: Document): JsonObject {
    const value = this.#valueOf(document);
    if (isJsonObject(value)) return value;
    throw this.#fault(1, 'expected an object with validation_rules or transformations');
  }

  /** Values that JSON does not have, such as dates, are converted to JSON. */
  #valueOf(document: Document): JsonValue {
    try {
      return parseJson(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null));
    } catch {
      throw this.#fault(
        1,
        'its aliases lead to too many values or to themselves: write the values out',
      );
    }
  }

  #fault(line: number, detail: string): DocumentError {
    return new DocumentError({ document: this.#name, line, pointer: '' }, detail);
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
