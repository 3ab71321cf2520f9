import { UsageError } from '../cli-error.js';
import { decodeText } from './decode-text.js';

/** Of a request that the server has in memory several times over. */
export const maxPortionBytes = 4 * 1_048_576;

const lineFeed = 0x0a;

/** Whole lines of a file: `firstLine` is the number of the first, from 1. */
type Portion = Readonly<{ text: string; firstLine: number; bytes: number }>;

/** A file in portions that end where lines end, in memory one at a time. `name` is that of the file. */
export async function* portionsOf(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  most = maxPortionBytes,
): AsyncGenerator<Portion> {
  let held: Uint8Array[] = [];
  let size = 0;
  let firstLine = 1;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    while (size > most) {
      const bytes = Buffer.concat(held, size);
      const end = bytes.lastIndexOf(lineFeed, most - 1) + 1;
      if (end === 0) throw tooLong(name, firstLine, most);
      yield portionOf(bytes.subarray(0, end), name, firstLine);
      firstLine += linesIn(bytes.subarray(0, end));
      held = [bytes.subarray(end)];
      size -= end;
    }
  }
  if (size > 0) yield portionOf(Buffer.concat(held, size), name, firstLine);
}

function portionOf(bytes: Buffer, name: string, firstLine: number): Portion {
  return { text: decodeText(bytes, name), firstLine, bytes: bytes.length };
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

function tooLong(name: string, line: number, most: number): UsageError {
  return new UsageError(
    `${name}:${line}: the line is longer than ${most / 1_048_576} MiB`,
    'shorten it: nothing was imported',
  );
}
