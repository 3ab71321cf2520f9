const blankLine = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)$/;

/** The line ends that make a blank line between a text and the following text; '' if the text ends with one. */
export function gapAfter(text: string, eol: string): string {
  if (blankLine.test(text.slice(-200))) return '';
  return /[\r\n]$/.test(text) ? eol : eol + eol;
}
