import { type JsonValue } from '#event-sourcing';

const indented = /\n([ \t]+)\S/;

/** How a document of JSON is laid out: its indentation and line ends; everything on one line if it has no line ends. */
export class JsonLayout {
  readonly newline: string;
  readonly #unit: string;

  constructor(text: string) {
    this.newline = text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : '';
    this.#unit = indented.exec(text)?.[1] ?? (this.newline === '' ? '' : '  ');
  }

  /** The beginning of a line at this depth; '' if everything is on one line. */
  lineAt(depth: number): string {
    return this.newline === '' ? '' : this.newline + this.#unit.repeat(depth);
  }

  /** `line`: the line end and indentation of the lines that follow the first; '' for a value on one line. */
  print(value: JsonValue, line: string): string {
    if (line === '' || this.#unit === '') return JSON.stringify(value);
    return JSON.stringify(value, null, this.#unit).replaceAll('\n', line);
  }
}
