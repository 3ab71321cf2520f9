const delimiterRow = /^[ \t|:-]+$/;
/** Blank lines, headings, quotations, list items and thematic breaks end a table. */
const nextBlock = /^[ \t]*$|^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|[-*+][ \t]|-+$)/;

/** Tracks tables line by line. Rows need no bar at their beginning. See GitHub Flavored Markdown, section 4.10. */
export class TableRows {
  #isOpen = false;
  #last = '';

  /** Whether the last line was a row of a table, or its delimiter row. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes a line without its line end. */
  take(line: string): void {
    if (isDelimiterRow(line) && this.#last.includes('|')) this.#isOpen = true;
    else if (nextBlock.test(line)) this.#isOpen = false;
    this.#last = line;
  }
}

function isDelimiterRow(line: string): boolean {
  return delimiterRow.test(line) && line.includes('|') && line.includes('-');
}
