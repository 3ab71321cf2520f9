/** Finds lines and columns (from 1) of offsets that only grow, in time that grows with the text. */
export class TextPlaces {
  #line = 1;
  #start = 0;

  constructor(private readonly text: string) {}

  lineAt(offset: number): number {
    for (;;) {
      const end = this.text.indexOf('\n', this.#start);
      if (end === -1 || end >= offset) return this.#line;
      this.#start = end + 1;
      this.#line++;
    }
  }

  columnAt(offset: number): number {
    this.lineAt(offset);
    return offset - this.#start + 1;
  }
}
