/** Finds lines and columns (from 1) of increasing offsets, in time that grows with the text. */
export class TextPlaces {
  #line = 1;
  #start = 0;
  /** The end of the line, searched for once, because a document of megabytes may be one line. */
  #end: number;

  constructor(private readonly text: string) {
    this.#end = this.#endFrom(0);
  }

  lineAt(offset: number): number {
    while (this.#end < offset) {
      this.#start = this.#end + 1;
      this.#end = this.#endFrom(this.#start);
      this.#line++;
    }
    return this.#line;
  }

  columnAt(offset: number): number {
    this.lineAt(offset);
    return offset - this.#start + 1;
  }

  #endFrom(start: number): number {
    const found = this.text.indexOf('\n', start);
    return found === -1 ? Infinity : found;
  }
}
