import { type ReadEvent, type ReadSignature } from '#interop';

import { type ApiClient, path } from '../api-client.js';
import { CliError } from '../cli-error.js';
import { linesOf } from './lines.js';
import { sha256 } from './sha256.js';

type ExportCounts = { contexts: number; events: number };

/** Yields the lines of one export file of several contexts, and verifies each context again. */
export async function* exportLines(
  api: ApiClient,
  contexts: readonly string[],
  counts: ExportCounts,
): AsyncGenerator<string> {
  const { EventsJsonlWriter } = await import('#interop');
  const writer = new EventsJsonlWriter();
  yield writer.header();
  for (const context of contexts) {
    counts.contexts++;
    for await (const line of exportedLines(api, context)) {
      if ('event' in line) counts.events++;
      yield 'event' in line
        ? writer.event(line.event, line.hash)
        : writer.signature(line.signature);
    }
  }
  yield writer.trailer();
}

async function* exportedLines(
  api: ApiClient,
  context: string,
): AsyncGenerator<ReadEvent | ReadSignature> {
  const { EventsJsonlError, EventsJsonlReader } = await import('#interop');
  const reader = new EventsJsonlReader(sha256);
  const body = api.read({
    path: path`contexts/${context}/export`,
    query: { format: 'events-jsonl' },
  });
  try {
    for await (const line of linesOf(body)) {
      const read = reader.take(line);
      if (read) yield read;
    }
    reader.finish();
  } catch (error) {
    if (!(error instanceof EventsJsonlError)) throw error;
    throw new CliError(`the export of "${context}" is not valid: ${error.detail}`, {
      next: '"throughline verify" reports details; nothing was written to the file',
    });
  }
}
