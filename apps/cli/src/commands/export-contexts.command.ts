import { existsSync } from 'node:fs';

import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { exportDocuments } from '../documents/export-documents.js';
import { eventsFormat } from '../documents/import-formats.js';
import { contextsInReach } from '../moving/contexts-in-reach.js';
import { exportLines } from '../moving/export-lines.js';
import { writeOut } from '../moving/write-out.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';

const input = z.object({
  context: z.array(z.string()).default([]),
  format: z.string().default(eventsFormat),
  all: z.boolean().default(false),
  out: z.string().optional(),
  document: z.string().optional(),
  audience: z.string().optional(),
  asOf: z.string().optional(),
  force: z.boolean().default(false),
});

type Input = z.output<typeof input>;

export const exportContexts = defineCommand({
  name: 'export',
  summary:
    'Write the events of contexts to a file that proves by itself to be whole, or a context as documents',
  arguments: [['[context...]', 'ids of contexts; of documents, of one']],
  options: [
    [
      '--format <format>',
      'events-jsonl (default), or documents: sdd-context, bmad-session, story-markdown, adr-markdown, report-markdown',
    ],
    ['--all', 'all contexts the key reaches, in one file'],
    [
      '--out <path>',
      'file to write, for several documents a folder; standard output when left out',
    ],
    ['--document <name>', 'one of several documents'],
    ['--audience <name>', 'documents of what this audience sees (default all)'],
    ['--as-of <position>', 'documents as of a version, or a time with offset as RFC 3339'],
    ['--force', 'replace files where they exist'],
  ],
  examples: [
    'throughline export demo --out demo.events.jsonl',
    'throughline export demo other --out two.events.jsonl',
    'throughline export --all | gzip > contexts.events.jsonl.gz',
    'throughline export demo | jq -r "select(.type) | [.version, .type] | @tsv"',
    'throughline export demo --format story-markdown --out docs/stories/1.2.story.md --force',
    'throughline export decisions --format adr-markdown --out docs/adr/',
  ],
  input,
  run: async (session, given) => {
    const { context: contexts, all, format } = given;
    if (contexts.length > 0 === all) throw new UsageError('name a context, or say --all');
    if (format === eventsFormat) return exportEvents(session, given);
    const [context, second] = contexts;
    if (context === undefined || second !== undefined)
      throw new UsageError(`--format ${format} writes the documents of one context: name it`);
    return exportDocuments(session, { ...given, context });
  },
});

async function exportEvents(session: Session, given: Input): Promise<void> {
  const { context: named, all, out, force } = given;
  const stray = (['document', 'audience', 'asOf'] as const).find((name) => given[name]);
  if (stray !== undefined)
    throw new UsageError(`--${stray === 'asOf' ? 'as-of' : stray} is for documents: say --format`);
  if (out !== undefined && !force && existsSync(out))
    throw new UsageError(`${out} exists already`, 'name another file, or add --force');
  const contexts = all ? await oldestFirst(session) : [...new Set(named)];
  const counts = { contexts: 0, events: 0 };
  const started = performance.now();
  await writeOut(exportLines(session.api, contexts, counts), out);
  const seconds = (performance.now() - started) / 1000;
  const { events } = counts;
  session.terminal.warn(
    `exported ${countOf(events, 'event')} of ${countOf(counts.contexts, 'context')}, every hash chain whole, ${describeRate(events, seconds)}`,
  );
}

/** A fork lies behind its source, so that an import finds it. Ids only: they are all of it that is kept in memory. */
async function oldestFirst({ api }: Session): Promise<string[]> {
  return (await Array.fromAsync(contextsInReach(api))).toReversed();
}
