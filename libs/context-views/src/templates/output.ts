/** A text that is written piece by piece. A fence is on separate lines, even if it is written within a line. */
export class Output {
  readonly #pieces: string[] = [];
  #length = 0;
  #owesLine = false;

  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    if (text === '') return;
    if (this.#owesLine && !/^\r?\n/.test(text)) this.#push('\n');
    this.#owesLine = false;
    this.#push(text);
  }

  /** Keeps the text before the fence on its line, without the blanks at its end. */
  writeFence(fence: string): void {
    this.write('');
    this.#dropBlanks();
    const last = this.#pieces.at(-1);
    if (last !== undefined && !last.endsWith('\n')) this.#push('\n');
    this.#push(fence);
    this.#owesLine = true;
  }

  /** U+0000 and lone surrogates, which not every reader accepts, are shown as U+FFFD. */
  toString(): string {
    return this.#pieces.join('').replaceAll('\0', '\ufffd').toWellFormed();
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #dropBlanks(): void {
    for (let last = this.#pieces.pop(); last !== undefined; last = this.#pieces.pop()) {
      this.#length -= last.length;
      const text = withoutBlanks(last);
      if (text === '') continue;
      this.#push(text);
      return;
    }
  }
}

function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end);
}
