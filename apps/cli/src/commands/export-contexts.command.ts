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
  summary: 'Export the events of contexts to a self-verifying file, or a context as documents',
  arguments: [['[context...]', 'ids of contexts; for documents only one']],
  options: [
    [
      '--format <format>',
      'events-jsonl (default), or documents: sdd-context, bmad-session, story-markdown, adr-markdown, report-markdown',
    ],
    ['--all', 'export all contexts that the key reaches to one file'],
    ['--out <path>', 'file to write, or a folder for several documents (default: standard output)'],
    ['--document <name>', 'export only this document'],
    ['--audience <name>', 'documents as this audience sees them (default: all)'],
    ['--as-of <position>', 'documents as of a version, or a time with offset as RFC 3339'],
    ['--force', 'replace existing files'],
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
  run: async (session, options) => {
    const { context: contexts, all, format } = options;
    if (contexts.length > 0 === all) throw new UsageError('name a context, or pass --all');
    if (format === eventsFormat) return exportEvents(session, options);
    const [context, second] = contexts;
    if (context === undefined || second !== undefined)
      throw new UsageError(
        `--format ${format} writes the documents of one context: name exactly one`,
      );
    return exportDocuments(session, { ...options, context });
  },
});

async function exportEvents(session: Session, options: Input): Promise<void> {
  const { context: requested, all, out, force } = options;
  const stray = (['document', 'audience', 'asOf'] as const).find((name) => options[name]);
  if (stray !== undefined)
    throw new UsageError(`--${stray === 'asOf' ? 'as-of' : stray} is for documents: add --format`);
  if (out !== undefined && !force && existsSync(out))
    throw new UsageError(`${out} exists already`, 'name another file, or add --force');
  const contexts = all ? await oldestFirst(session) : [...new Set(requested)];
  const counts = { contexts: 0, events: 0 };
  const started = performance.now();
  await writeOut(exportLines(session.api, contexts, counts), out);
  const seconds = (performance.now() - started) / 1000;
  const { events } = counts;
  session.terminal.warn(
    `exported ${countOf(events, 'event')} of ${countOf(counts.contexts, 'context')}, every hash chain valid, ${describeRate(events, seconds)}`,
  );
}

/** Oldest first, so that an import finds the source of a fork before the fork. Only ids are held in memory. */
async function oldestFirst({ api }: Session): Promise<string[]> {
  return (await Array.fromAsync(contextsInReach(api))).toReversed();
}
