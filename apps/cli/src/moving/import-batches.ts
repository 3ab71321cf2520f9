import { createReadStream } from 'node:fs';

import {
  type EventsJsonlWriter,
  type ExportTrailer,
  type ReadEvent,
  type ReadSignature,
} from '#interop';

import { UsageError } from '../cli-error.js';
import { linesOf } from './lines.js';
import { sha256 } from './sha256.js';

/** The size limit of a request is 16 MiB, and the server holds several copies of it in memory. */
const batchBytes = 4 * 1_048_576;
const batchEvents = 5_000;
/** A batch may grow to this size to end at a signature: events without a signature after them are not signed. */
const maxBytes = 12 * 1_048_576;
const maxEvents = 15_000;

/** The file that one request imports. `contextId`: context of its first event. */
export type ImportBatch = Readonly<{ text: string; events: number; contextId: string }>;

/** Verifies a complete file without storing it, and returns its counts. */
export async function checkFile(file: string): Promise<ExportTrailer> {
  const { EventsJsonlReader } = await import('#interop');
  const reader = new EventsJsonlReader(sha256);
  return withFileErrors(file, async () => {
    for await (const line of linesOf(createReadStream(file))) reader.take(line);
    return reader.finish();
  });
}

/**
 * Yields the events of a file in order, in batches that end at a signature if possible. `isDivided`: a batch contains events of
 * one context only.
 */
export async function* importBatches(
  file: string,
  { isDivided }: Readonly<{ isDivided: boolean }>,
): AsyncGenerator<ImportBatch> {
  const { EventsJsonlReader, EventsJsonlWriter } = await import('#interop');
  const reader = new EventsJsonlReader(sha256);
  let batch = new Batch(new EventsJsonlWriter());
  for await (const line of linesOf(createReadStream(file))) {
    const read = reader.take(line);
    if (read && isDivided && batch.isOfOtherContext(read)) {
      yield batch.finish();
      batch = new Batch(new EventsJsonlWriter());
    }
    if (read) batch.add(read);
    if (!batch.isFull) continue;
    yield batch.finish();
    batch = new Batch(new EventsJsonlWriter());
  }
  if (batch.events > 0) yield batch.finish();
}

class Batch {
  events = 0;
  readonly #lines: string[] = [];
  #bytes = 0;
  #isSigned = false;
  #contextId: string | undefined;

  constructor(private readonly writer: EventsJsonlWriter) {
    this.#lines.push(writer.header());
  }

  get isFull(): boolean {
    if (this.#bytes >= maxBytes || this.events >= maxEvents) return true;
    return this.#isSigned && (this.#bytes >= batchBytes || this.events >= batchEvents);
  }

  isOfOtherContext(read: ReadEvent | ReadSignature): boolean {
    const isKnown = 'event' in read && this.#contextId !== undefined;
    return isKnown && read.event.contextId !== this.#contextId;
  }

  add(read: ReadEvent | ReadSignature): void {
    const isEvent = 'event' in read;
    const line = isEvent
      ? this.writer.event(read.event, read.hash)
      : this.writer.signature(read.signature);
    this.#lines.push(line);
    this.#bytes += Buffer.byteLength(line);
    this.#isSigned = !isEvent;
    if (!isEvent) return;
    this.#contextId ??= read.event.contextId;
    this.events++;
  }

  finish(): ImportBatch {
    const text = [...this.#lines, this.writer.trailer()].join('');
    return { text, events: this.events, contextId: this.#contextId ?? '' };
  }
}

async function withFileErrors<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
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
