import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { CliError, UsageError } from '../cli-error.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';
import { type ImportBatch, checkFile, importBatches } from './import-batches.js';

const importAnswer = z.looseObject({
  contexts: z.array(
    z.looseObject({
      contextId: z.string(),
      imported: z.number(),
      skipped: z.number(),
      signed: z.boolean(),
    }),
  ),
});

/** `as`: new id of the only context of the file; `renamed`: new ids of contexts by their ids in the file. */
type EventNames = Readonly<{
  as?: string | undefined;
  renamed: ReadonlyMap<string, string>;
}>;

/** `unsigned`: contexts whose events were stored as events of the key. */
type Counts = { imported: number; skipped: number; unsigned: Set<string> };

/** Imports an event export. It verifies the complete file before it sends a request. */
export async function importEvents(
  session: Session,
  file: string,
  names: EventNames,
): Promise<void> {
  const trailer = await checkFile(file);
  const { as, renamed } = names;
  if (as !== undefined && trailer.contexts !== 1)
    throw new UsageError(`--as names one context, but ${file} contains ${trailer.contexts}`);
  if (renamed.size > 0) await requireContexts(file, [...renamed.keys()]);
  const started = performance.now();
  const counts: Counts = { imported: 0, skipped: 0, unsigned: new Set() };
  for await (const batch of importBatches(file, { isDivided: renamed.size > 0 })) {
    await importBatch(session, batch, as ?? renamed.get(batch.contextId), counts);
    session.terminal.progress?.show(
      `${(counts.imported + counts.skipped).toLocaleString('en-US')} of ${trailer.events.toLocaleString('en-US')} events`,
    );
  }
  session.terminal.progress?.clear();
  report(session, { ...trailer, ...counts }, (performance.now() - started) / 1000);
}

/** Throws if the file lacks a context: with a misspelled id, it would be imported under its old id. */
async function requireContexts(file: string, contextIds: readonly string[]): Promise<void> {
  const missing = new Set(contextIds);
  for await (const { contextId } of importBatches(file, { isDivided: true }))
    missing.delete(contextId);
  const [first] = missing;
  if (first !== undefined)
    throw new UsageError(`${file} contains no context "${first}"`, 'nothing was imported');
}

async function importBatch(
  { api, terminal }: Session,
  { text }: ImportBatch,
  as: string | undefined,
  counts: Counts,
): Promise<void> {
  try {
    const answer = await api.send({
      method: 'POST',
      path: 'imports',
      query: { format: 'events-jsonl', as },
      body: text,
      contentType: 'application/x-ndjson',
    });
    for (const { contextId, imported, skipped, signed } of parseAnswer(importAnswer, answer)
      .contexts) {
      counts.imported += imported;
      counts.skipped += skipped;
      if (!signed && imported > 0) counts.unsigned.add(contextId);
    }
  } catch (error) {
    terminal.progress?.clear();
    if (error instanceof CliError && counts.imported > 0)
      terminal.warn(
        `${counts.imported} events were imported before: repeat the command to import the rest`,
      );
    throw error;
  }
}

function report(
  { terminal, json }: Session,
  { contexts, imported, skipped, unsigned }: Counts & Readonly<{ contexts: number }>,
  seconds: number,
): void {
  if (json)
    return terminal.write(JSON.stringify({ contexts, imported, skipped, unsigned: unsigned.size }));
  const rate = describeRate(imported + skipped, seconds);
  terminal.write(
    `imported ${countOf(imported, 'event')} of ${countOf(contexts, 'context')}, ${skipped} were already stored, ${rate}`,
  );
  if (unsigned.size > 0)
    terminal.warn(
      `${countOf(unsigned.size, 'context')} not signed by this server or by a trusted one: the events are stored as events of this key, with their stated authors in "origin"`,
    );
}
