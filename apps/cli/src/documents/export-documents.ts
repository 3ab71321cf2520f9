import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { type ApiAnswer, path } from '../api-client.js';
import { CliError, UsageError } from '../cli-error.js';
import { writeOut } from '../moving/write-out.js';
import { printableLine } from '../printable.js';
import { countOf } from '../rate.js';
import { type Session } from '../session.js';
import { fileWithin } from './file-within.js';

type ExportRequest = Readonly<{
  context: string;
  format: string;
  document?: string | undefined;
  audience?: string | undefined;
  asOf?: string | undefined;
  /** A file or a folder; by default standard output. */
  out?: string | undefined;
  /** Whether existing files are replaced. */
  force: boolean;
}>;

type ExportedDocument = Readonly<{ name: string; text: string }>;

const namedText = z.object({ name: z.string(), text: z.string() });

/** Documents are usually shared: the umask of the process decides who may read them. */
const documentMode = 0o666;

const extensions: Readonly<Record<string, string>> = {
  'text/markdown': '.md',
  'application/json': '.json',
  'application/yaml': '.yml',
};

/** Writes a context as documents, and reports the parts that they do not contain. */
export async function exportDocuments(session: Session, request: ExportRequest): Promise<void> {
  const { context, out, force, format, document, audience, asOf } = request;
  const query = { format, document, audience, asOf };
  const answer = await session.api.send({ path: path`contexts/${context}/export`, query });
  const documents = documentsOf(answer, request);
  const files = filesOf(documents, request);
  const existing = [...files.keys()].find((file) => !force && existsSync(file));
  if (existing !== undefined)
    throw new UsageError(`${existing} exists already`, 'choose another path, or add --force');
  if (out === undefined) await print(session, documents);
  for (const [file, { text }] of files) {
    await mkdir(dirname(file), { recursive: true });
    await writeOut(linesOf(text), file, documentMode);
  }
  if (out !== undefined) session.terminal.warn(`exported ${countOf(files.size, 'document')}`);
  const notCarried = answer.headers['not-carried'];
  if (notCarried !== undefined)
    session.terminal.warn(`not carried: ${printableLine(String(notCarried))}`);
}

/** The server returns one document as text, several as JSON lines. */
function documentsOf(
  { headers, text }: ApiAnswer,
  { context, document }: ExportRequest,
): ExportedDocument[] {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (mediaType !== 'application/x-ndjson')
    return [{ name: document ?? `${context}${extensions[mediaType] ?? ''}`, text }];
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => namedText.parse(JSON.parse(line)));
}

function filesOf(
  documents: readonly ExportedDocument[],
  { context, format, out }: ExportRequest,
): ReadonlyMap<string, ExportedDocument> {
  const [first, second] = documents;
  if (!first) throw new CliError(`"${context}" has no content for ${format}`);
  if (out === undefined && second) throw new UsageError(...severalWithoutFolder(documents));
  if (out === undefined) return new Map();
  if (!second && !isFolder(out)) return new Map([[out, first]]);
  return inFolder(documents, out);
}

function inFolder(
  documents: readonly ExportedDocument[],
  folder: string,
): ReadonlyMap<string, ExportedDocument> {
  const files = new Map<string, ExportedDocument>();
  for (const one of documents) {
    const file = join(folder, fileWithin(one.name));
    const other = files.get(file);
    if (other)
      throw new CliError(
        `the documents ${JSON.stringify(other.name)} and ${JSON.stringify(one.name)} would be written to the same file ${file}`,
        { next: 'export them one at a time by --document' },
      );
    files.set(file, one);
  }
  return files;
}

function severalWithoutFolder(documents: readonly ExportedDocument[]): [string, string] {
  const names = documents.map(({ name }) => printableLine(name)).join(', ');
  return [
    `the context has ${documents.length} documents: ${names}`,
    'add --out <folder>, or choose one by --document <name>',
  ];
}

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());
}

/** Writes the exact text to a pipe or file. A terminal gets printable text, which ends with one line end. */
async function print(
  { terminal }: Session,
  [document]: readonly ExportedDocument[],
): Promise<void> {
  const text = document?.text ?? '';
  if (terminal.isTerminal) terminal.write(text.replace(/\n$/, ''));
  else await writeOut(linesOf(text));
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}
