import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { CliError } from '../cli-error.js';
import { printableJson } from '../printable.js';

/**
 * Writes lines to a file, which is created only when it is complete, or to standard output, as fast as it is read. On a
 * terminal, control characters are escaped. `mode`: permissions of the file.
 */
export async function writeOut(
  lines: AsyncIterable<string>,
  file?: string,
  mode = 0o600,
): Promise<void> {
  if (file === undefined) {
    const output = process.stdout.isTTY ? escaped(lines) : lines;
    return pipeline(Readable.from(output), process.stdout, { end: false });
  }
  const partial = `${file}.partial`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(partial, { mode }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof Error && 'path' in error) throw new CliError(`${file}: ${error.message}`);
    throw error;
  }
}

async function* escaped(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield printableJson(line);
}
