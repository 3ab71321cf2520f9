import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { CliError, UsageError } from '../cli-error.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';
import { type ImportBatch, checkFile, importBatches } from './import-batches.js';

const answered = z.looseObject({
  contexts: z.array(
    z.looseObject({
      contextId: z.string(),
      imported: z.number(),
      skipped: z.number(),
      signed: z.boolean(),
    }),
  ),
});

/** `as` renames the one context of the file; `renamed` has new ids of contexts by their ids in the file. */
type EventNames = Readonly<{
  as?: string | undefined;
  renamed: ReadonlyMap<string, string>;
}>;

/** `unsigned`: contexts of which events were stored as those of the key. */
type Counts = { imported: number; skipped: number; unsigned: Set<string> };

/** Imports a file of exported events; the whole file is checked before anything is sent. */
export async function importEvents(
  session: Session,
  file: string,
  names: EventNames,
): Promise<void> {
  const held = await checkFile(file);
  const { as, renamed } = names;
  if (as !== undefined && held.contexts !== 1)
    throw new UsageError(`--as names one context, and ${file} holds ${held.contexts}`);
  if (renamed.size > 0) await requireContexts(file, [...renamed.keys()]);
  const started = performance.now();
  const counts: Counts = { imported: 0, skipped: 0, unsigned: new Set() };
  for await (const batch of importBatches(file, { isDivided: renamed.size > 0 })) {
    await importBatch(session, batch, as ?? renamed.get(batch.contextId), counts);
    session.terminal.progress?.show(
      `${(counts.imported + counts.skipped).toLocaleString('en-US')} of ${held.events.toLocaleString('en-US')} events`,
    );
  }
  session.terminal.progress?.clear();
  report(session, { ...held, ...counts }, (performance.now() - started) / 1000);
}

/** A misspelt id would otherwise be imported under the old one. */
async function requireContexts(file: string, contextIds: readonly string[]): Promise<void> {
  const missing = new Set(contextIds);
  for await (const { contextId } of importBatches(file, { isDivided: true }))
    missing.delete(contextId);
  const [first] = missing;
  if (first !== undefined)
    throw new UsageError(`${file} holds no context "${first}"`, 'nothing was imported');
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
    for (const { contextId, imported, skipped, signed } of parseAnswer(answered, answer).contexts) {
      counts.imported += imported;
      counts.skipped += skipped;
      if (!signed && imported > 0) counts.unsigned.add(contextId);
    }
  } catch (error) {
    terminal.progress?.clear();
    if (error instanceof CliError && counts.imported > 0)
      terminal.warn(
        `${counts.imported} events were imported before: the same command goes on behind them`,
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
    `imported ${countOf(imported, 'event')} of ${countOf(contexts, 'context')}, ${skipped} were here already, ${rate}`,
  );
  if (unsigned.size > 0)
    terminal.warn(
      `${countOf(unsigned.size, 'context')} not signed by this server or one that it trusts: the events are stored as those of this key, and keep in "origin" whose they are said to be`,
    );
}
