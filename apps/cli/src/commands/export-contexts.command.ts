import { existsSync } from 'node:fs';

import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { contextsInReach } from '../moving/contexts-in-reach.js';
import { exportLines } from '../moving/export-lines.js';
import { writeOut } from '../moving/write-out.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';

export const exportContexts = defineCommand({
  name: 'export',
  summary: 'Write the events of a context, or of all, to a file that proves by itself to be whole',
  arguments: [['[context]', 'id of the context']],
  options: [
    ['--all', 'all contexts the key reaches, in one file'],
    ['--out <file>', 'file to write; standard output when left out'],
    ['--force', 'replace the file where it exists'],
  ],
  examples: [
    'throughline export demo --out demo.events.jsonl',
    'throughline export --all | gzip > contexts.events.jsonl.gz',
    'throughline export demo | jq -r "select(.type) | [.version, .type] | @tsv"',
  ],
  input: z.object({
    context: z.string().optional(),
    all: z.boolean().default(false),
    out: z.string().optional(),
    force: z.boolean().default(false),
  }),
  run: async (session, { context, all, out, force }) => {
    if ((context === undefined) !== all) throw new UsageError('name a context, or say --all');
    if (out !== undefined && !force && existsSync(out))
      throw new UsageError(`${out} exists already`, 'name another file, or add --force');
    const contexts = context === undefined ? await oldestFirst(session) : [context];
    const counts = { contexts: 0, events: 0 };
    const started = performance.now();
    await writeOut(exportLines(session.api, contexts, counts), out);
    const seconds = (performance.now() - started) / 1000;
    const { events } = counts;
    session.terminal.warn(
      `exported ${countOf(events, 'event')} of ${countOf(counts.contexts, 'context')}, every hash chain whole, ${describeRate(events, seconds)}`,
    );
  },
});

/** A fork lies behind its source, so that an import finds it. Ids only: they are all of it that is kept in memory. */
async function oldestFirst({ api }: Session): Promise<string[]> {
  return (await Array.fromAsync(contextsInReach(api))).toReversed();
}
