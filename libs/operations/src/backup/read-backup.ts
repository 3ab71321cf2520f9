import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { createZstdDecompress } from 'node:zlib';

import { type z } from 'zod';

import { inWords } from '#event-sourcing';

import {
  type BackupCounts,
  type BackupHeader,
  type BackupRow,
  type BackupTable,
  BackupFileError,
  closingLine,
  endLine,
  headerLine,
  rowLine,
  tableLine,
} from './backup-format.js';

/** A part of a backup, in the order of the file. */
export type BackupPart =
  | Readonly<{ kind: 'header'; header: BackupHeader }>
  | Readonly<{ kind: 'table'; table: BackupTable }>
  | Readonly<{ kind: 'row'; row: BackupRow }>
  | Readonly<{ kind: 'end'; table: string }>
  | Readonly<{ kind: 'complete'; counts: BackupCounts }>;

/**
 * Reads a backup with constant memory. Throws {@link BackupFileError} if the file is truncated, damaged or not a backup. Parts
 * before an error are not trustworthy, so read the whole file before writing anything.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const reading = new BackupReading();
  for await (const line of linesOf(file)) {
    const part = reading.take(line);
    if (part) yield part;
  }
  yield reading.complete();
}

class BackupReading {
  readonly #hash = createHash('sha256');
  readonly #tables: Record<string, number> = {};
  #line = 0;
  #rows = 0;
  #table: BackupTable | undefined;
  #closed = false;

  take(text: string): BackupPart | undefined {
    this.#line++;
    if (this.#closed) throw this.#fault('there is data after the closing line');
    const line = this.#json(text);
    if (isClosing(line)) {
      this.#close(line);
      return undefined;
    }
    this.#hash.update(`${text}\n`);
    return this.#part(line);
  }

  complete(): BackupPart {
    if (!this.#closed) throw this.#fault('the file is truncated: it has no closing line');
    return { kind: 'complete', counts: { rows: this.#rows, tables: this.#tables } };
  }

  #part(line: unknown): BackupPart {
    if (this.#line === 1) return { kind: 'header', header: this.#parse(headerLine, line) };
    if (Array.isArray(line)) return this.#row(line);
    if (this.#table) return this.#end(line);
    this.#table = this.#parse(tableLine, line);
    this.#tables[this.#table.table] = 0;
    return { kind: 'table', table: this.#table };
  }

  #row(line: unknown): BackupPart {
    const row = this.#parse(rowLine, line);
    if (row.length !== this.#table?.columns.length)
      throw this.#fault('the row does not have the columns of its table');
    this.#rows++;
    this.#tables[this.#table.table] = (this.#tables[this.#table.table] ?? 0) + 1;
    return { kind: 'row', row };
  }

  #end(line: unknown): BackupPart {
    const { end, rows } = this.#parse(endLine, line);
    if (end !== this.#table?.table || rows !== this.#tables[end])
      throw this.#fault('rows of the table are missing');
    this.#table = undefined;
    return { kind: 'end', table: end };
  }

  #close(line: unknown): void {
    const { rows, sha256 } = this.#parse(closingLine, line);
    if (this.#table || rows !== this.#rows || sha256 !== this.#hash.digest('hex'))
      throw this.#fault(
        'the file was modified or damaged: its SHA-256 differs from the one in the closing line',
      );
    this.#closed = true;
  }

  #json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#fault('not JSON');
    }
  }

  #parse<Output>(schema: z.ZodType<Output>, line: unknown): Output {
    const parsed = schema.safeParse(line, inWords);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw this.#fault(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
  }

  #fault(reason: string): BackupFileError {
    return new BackupFileError(`line ${this.#line}: ${reason}`);
  }
}

function isClosing(line: unknown): boolean {
  return typeof line === 'object' && line !== null && 'complete' in line;
}

/** Splits only at \n, because texts in JSON may contain other line separators. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const bytes of decompressed(file)) {
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new BackupFileError('the file is truncated within a line');
}

async function* decompressed(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const plain = source.on('error', (error) => plain.destroy(error)).pipe(createZstdDecompress());
  try {
    // The cast is safe: decompressors emit buffers.
    yield* plain as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && !String(error.code).startsWith('Z'))
      throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupFileError(`the file is truncated, damaged or not a backup: ${reason}`);
  } finally {
    source.destroy();
    plain.destroy();
  }
}
