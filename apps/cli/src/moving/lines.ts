import { StringDecoder } from 'node:string_decoder';

import { CliError } from '../cli-error.js';

/** No line of ours is longer. */
const longestLine = 16 * 1_048_576;

/**
 * The lines of a file or an answer, without their line feeds: only those end a line here, while Node's own reader also
 * takes U+2028, which JSON may hold.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const [end = '', ...lines] = decoder.write(Buffer.from(chunk)).split('\n');
    // A line may span hundreds of chunks, so each chunk is searched once, and not the beginning of the line again.
    rest += end;
    const next = lines.pop();
    if (next !== undefined) {
      yield rest;
      yield* lines;
      rest = next;
    }
    if (rest.length > longestLine) throw new CliError('this is no file of lines');
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
