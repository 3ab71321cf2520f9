/** Where one line ends and the next begins with neither a blank nor "/": all encodings split there. */
const boundary = /\n(?=[!-.0-~])/g;

/**
 * A text in parts of at least so many UTF-16 code units, but for the last, whose units add up to those of the text. A text
 * without lines is one part.
 */
export function* textParts(text: string, least: number): Generator<string> {
  let from = 0;
  while (from < text.length) {
    boundary.lastIndex = from + least - 1;
    const found = boundary.exec(text);
    const end = found ? found.index + 1 : text.length;
    yield text.slice(from, end);
    from = end;
  }
}
