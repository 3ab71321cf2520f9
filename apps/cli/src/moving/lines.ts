import { StringDecoder } from 'node:string_decoder';

import { CliError } from '../cli-error.js';

/** Longer than any line of an export. */
const longestLine = 16 * 1_048_576;

/**
 * Yields the lines of a file or an answer, without their line feeds. Node's line reader also splits at U+2028, which JSON
 * may contain.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const [end = '', ...lines] = decoder.write(Buffer.from(chunk)).split('\n');
    // A line may span hundreds of chunks: each chunk is searched only once.
    rest += end;
    const next = lines.pop();
    if (next !== undefined) {
      yield rest;
      yield* lines;
      rest = next;
    }
    if (rest.length > longestLine) throw new CliError('a line of the input is too long');
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
