import { createReadStream } from 'node:fs';

import { type ExportTrailer, type ReadEvent } from '#interop';

import { UsageError } from '../cli-error.js';
import { linesOf } from './lines.js';
import { sha256 } from './sha256.js';

/** A request may hold 16 MiB, and the server has it in memory several times over. */
const batchBytes = 4 * 1_048_576;
const batchEvents = 5_000;

/** A file of its own: what one request imports. */
export type ImportBatch = Readonly<{ text: string; events: number }>;

/** Reads a whole file and checks it, storing nothing: what it holds. */
export async function checkFile(file: string): Promise<ExportTrailer> {
  const { EventsJsonlReader } = await import('#interop');
  const reader = new EventsJsonlReader(sha256);
  return named(file, async () => {
    for await (const line of linesOf(createReadStream(file))) reader.take(line);
    return reader.finish();
  });
}

/** The events of a file in their order, some at a time. */
export async function* importBatches(file: string): AsyncGenerator<ImportBatch> {
  const { EventsJsonlReader, EventsJsonlWriter } = await import('#interop');
  const reader = new EventsJsonlReader(sha256);
  let lines: string[] = [];
  let bytes = 0;
  let writer = new EventsJsonlWriter();
  const finish = (): ImportBatch => {
    const text = [writer.header(), ...lines, writer.trailer()].join('');
    const events = lines.length;
    [lines, bytes, writer] = [[], 0, new EventsJsonlWriter()];
    return { text, events };
  };
  const add = ({ event, hash }: ReadEvent) => {
    const line = writer.event(event, hash);
    lines.push(line);
    bytes += Buffer.byteLength(line);
  };
  for await (const line of linesOf(createReadStream(file))) {
    const read = reader.take(line);
    if (read) add(read);
    if (bytes >= batchBytes || lines.length >= batchEvents) yield finish();
  }
  if (lines.length > 0) yield finish();
}

async function named<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const { EventsJsonlError } = await import('#interop');
  try {
    return await work();
  } catch (error) {
    if (error instanceof EventsJsonlError)
      throw new UsageError(`${file}, ${error.message}`, 'nothing was imported');
    if (error instanceof Error && 'syscall' in error) throw new UsageError(error.message);
    throw error;
  }
}
