import { UsageError } from '../cli-error.js';
import { decodeText } from './decode-text.js';

/** Size limit of a portion; the server holds several copies of it in memory. */
export const maxPortionBytes = 4 * 1_048_576;

const lineFeed = 0x0a;

/** Complete lines of a file. `firstLine`: number of the first line, from 1. */
type Portion = Readonly<{ text: string; firstLine: number; bytes: number }>;

/** Yields a file in portions that end at line ends. Only one is in memory at a time. `name`: name of the file for errors. */
export async function* portionsOf(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes = maxPortionBytes,
): AsyncGenerator<Portion> {
  let chunksRead: Uint8Array[] = [];
  let size = 0;
  let firstLine = 1;
  for await (const chunk of chunks) {
    chunksRead.push(chunk);
    size += chunk.length;
    while (size > maxBytes) {
      const bytes = Buffer.concat(chunksRead, size);
      const end = bytes.lastIndexOf(lineFeed, maxBytes - 1) + 1;
      if (end === 0) throw tooLong(name, firstLine, maxBytes);
      yield portionOf(bytes.subarray(0, end), name, firstLine);
      firstLine += linesIn(bytes.subarray(0, end));
      chunksRead = [bytes.subarray(end)];
      size -= end;
    }
  }
  if (size > 0) yield portionOf(Buffer.concat(chunksRead, size), name, firstLine);
}

function portionOf(bytes: Buffer, name: string, firstLine: number): Portion {
  return { text: decodeText(bytes, name), firstLine, bytes: bytes.length };
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

function tooLong(name: string, line: number, maxBytes: number): UsageError {
  return new UsageError(
    `${name}:${line}: the line is longer than ${maxBytes / 1_048_576} MiB`,
    'shorten it: nothing was imported',
  );
}
