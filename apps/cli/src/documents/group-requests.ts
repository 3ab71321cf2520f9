import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { UsageError } from '../cli-error.js';
import { decodeText } from './decode-text.js';
import { type FileGroup, type NamedFile } from './group-files.js';
import { type ImportBody, bodyOfDocuments } from './import-answer.js';
import { type ImportFormat } from './import-formats.js';
import { maxPortionBytes, portionsOf } from './portions.js';

/** The size limit of a request. */
const maxBytes = 16 * 1_048_576;

/** Yields the requests that import a context. Only one is in memory at a time. */
export async function* requestsOf(
  { files }: FileGroup,
  { isDivided }: Pick<ImportFormat, 'isDivided'>,
): AsyncGenerator<ImportBody, void> {
  const [first, second] = files;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (isDivided && first && !second) return yield* requestsOfLines(first);
  if (bytes > maxBytes)
    throw new UsageError(
      `${files.map(({ name }) => name).join(', ')}: more than ${maxBytes / 1_048_576} MiB for one context`,
      'import fewer or smaller files: nothing was imported',
    );
  const documents = [];
  for (const file of files) documents.push({ name: file.name, text: await readText(file) });
  yield { body: bodyOfDocuments(documents), bytes };
}

/** A small file is sent in one request, because it may be one document instead of lines. */
async function* requestsOfLines(file: NamedFile): AsyncGenerator<ImportBody, void, void> {
  const { path, name, bytes } = file;
  const isOfLines = /\.(?:jsonl|ndjson)$/i.test(name);
  if (bytes <= (isOfLines ? maxPortionBytes : maxBytes))
    return yield { body: await readText(file), name, bytes };
  if (!isOfLines)
    throw new UsageError(
      `${name} is larger than ${maxBytes / 1_048_576} MiB`,
      'only a .jsonl file of JSON lines may be larger: nothing was imported',
    );
  for await (const { text, ...portion } of portionsOf(createReadStream(path), name))
    yield { body: text, name, ...portion };
}

async function readText({ path, name }: NamedFile): Promise<string> {
  try {
    return decodeText(await readFile(path), name);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw new UsageError(cause.message);
    throw cause;
  }
}
