import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { checkFile, importBatches } from '../moving/import-batches.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';

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

/** `unsigned`: contexts of which events were stored as those of the key. */
type Counts = { imported: number; skipped: number; unsigned: Set<string> };

export const importContexts = defineCommand({
  name: 'import',
  summary: 'Bring in the contexts of an exported file; repeating it goes on where it broke off',
  arguments: [['<file>', 'file that "throughline export" wrote, of any size']],
  options: [['--as <context>', 'make another context of the one in the file']],
  examples: [
    'throughline import contexts.events.jsonl',
    'throughline import demo.events.jsonl --as demo-copy',
  ],
  input: z.object({ file: z.string(), as: z.string().optional() }),
  run: async (session, { file, as }) => {
    const held = await checkFile(file);
    if (as !== undefined && held.contexts !== 1)
      throw new UsageError(`--as names one context, and ${file} holds ${held.contexts}`);
    const started = performance.now();
    const counts: Counts = { imported: 0, skipped: 0, unsigned: new Set() };
    for await (const { text } of importBatches(file)) {
      await importBatch(session, text, as, counts);
      session.terminal.progress?.show(
        `${(counts.imported + counts.skipped).toLocaleString('en-US')} of ${held.events.toLocaleString('en-US')} events`,
      );
    }
    session.terminal.progress?.clear();
    report(session, { ...held, ...counts }, (performance.now() - started) / 1000);
  },
});

async function importBatch(
  { api, terminal }: Session,
  text: string,
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
