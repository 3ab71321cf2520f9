/** A position in a text; line and column count from 1, columns in UTF-16 units. */
export type TextPosition = Readonly<{ line: number; column: number }>;

/** Converts offsets in a text to lines and columns. Lines end with LF, CR LF or CR, as in editors. */
export class LineIndex {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [
      0,
      ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length),
    ];
  }

  positionOf(offset: number): TextPosition {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
