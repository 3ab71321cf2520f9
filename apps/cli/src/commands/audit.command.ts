import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Operations, openOperations } from '../open-operations.js';
import { countOf } from '../rate.js';

import { z } from 'zod';

import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { formatTable } from '../table.js';
import { printableLine } from '../printable.js';

type Audit = Awaited<ReturnType<Operations['auditConfigured']>>;

export const audit = defineCommand({
  name: 'audit',
  summary:
    'Check the invariants I1 to I10 of the store; run it on the server machine, with or without a running server',
  arguments: [['[history]', 'a recorded history (JSON lines) to compare with the store']],
  examples: [
    'throughline audit',
    'throughline audit run.jsonl --json',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline audit',
  ],
  input: z.object({ history: z.string().optional() }),
  run: async ({ env, terminal, json }, { history: file }) => {
    const { auditConfigured, config, log } = await openOperations(env);
    const history = file === undefined ? undefined : await readHistory(file);
    const result = await auditConfigured(config, log, history);
    terminal.write(json ? JSON.stringify(result) : describe(result));
    const violated = result.reports.filter(({ verdict }) => verdict === 'violated');
    if (violated.length > 0)
      throw new CliError(`violated: ${violated.map(({ id }) => id).join(', ')}`);
  },
});

async function readHistory(file: string) {
  const { HistoryFormatError, parseHistory } = await import('#invariants');
  try {
    return await parseHistory(createInterface({ input: createReadStream(file) }));
  } catch (error) {
    if (error instanceof HistoryFormatError) throw new UsageError(`${file}: ${error.message}`);
    if (error instanceof Error && 'code' in error) throw new UsageError(error.message);
    throw error;
  }
}

function describe({ reports, tables, streams, events, lag }: Audit): string {
  const invariants = reports.map(({ id, verdict, checked, offenders, title }) => [
    id,
    verdict,
    checked,
    offenders,
    title,
  ]);
  const digests = tables.map(({ table, rows, actual, folded }) => [
    table,
    rows,
    actual.slice(0, 16),
    actual === folded ? 'equal' : folded.slice(0, 16),
  ]);
  const remarks = reports.flatMap(({ id, first, note }) => [
    ...(first === null ? [] : [`${id} is violated, first by ${printableLine(first)}`]),
    ...(note === null ? [] : [`${id}: ${note}`]),
  ]);
  return [
    formatTable(['', 'VERDICT', 'CHECKED', 'OFFENDERS', 'INVARIANT'], invariants),
    formatTable(['TABLE', 'ROWS', 'SHA-256', 'FOLD'], digests),
    remarks.join('\n'),
    `${countOf(events, 'event')} of ${countOf(streams, 'stream')}, ${lag} of them not applied yet`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
