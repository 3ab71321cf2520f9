import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod';

import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { type Environment } from '../credentials.js';
import { openOperations } from '../open-operations.js';
import { countOf, describeRate } from '../rate.js';
import { showRows } from '../row-progress.js';
import { type Terminal } from '../terminal.js';

/** A restore of such a backup does not write to KurrentDB. */
const kurrentWarning =
  'the streams were read from KurrentDB: a restore writes them to PostgreSQL with new positions; then "throughline store copy" copies them back';

export const backup = defineCommand({
  name: 'backup',
  summary: 'Write all data that cannot be rebuilt to a file, with or without running servers',
  arguments: [['<file>', 'file to write; it must not exist yet']],
  options: [['--force', 'replace an existing file']],
  examples: [
    'throughline backup throughline-2026-11-21.backup',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline backup nightly.backup --force',
  ],
  input: z.object({ file: z.string(), force: z.boolean().optional() }),
  run: async ({ env, terminal, json }, { file, force }) => {
    if (!force && existsSync(file))
      throw new UsageError(`${file} exists already`, 'name another file, or add --force');
    const started = performance.now();
    const report = await backUp(env, file, terminal).finally(() => terminal.progress?.clear());
    const seconds = (performance.now() - started) / 1000;
    terminal.write(
      json ? JSON.stringify({ file: resolve(file), ...report }) : describe(file, report, seconds),
    );
    // An empty variable counts as unset.
    if (env['EVENTSTORE_URL']) terminal.warn(kurrentWarning);
  },
});

async function backUp(env: Environment, file: string, terminal: Terminal) {
  const { backupConfigured, config, log } = await openOperations(env);
  try {
    return await backupConfigured(config, log, file, showRows(terminal));
  } catch (error) {
    throw isFileError(error) ? new CliError(`${file}: ${error.message}`) : error;
  }
}

type BackupReport = Awaited<ReturnType<typeof backUp>>;

function describe(file: string, { rows, tables }: BackupReport, seconds: number): string {
  const { events = 0, streams = 0 } = tables;
  return [
    `${file}: ${countOf(events, 'event')} of ${countOf(streams, 'stream')}, ${countOf(rows, 'row')} in all, ${describeRate(events, seconds)}`,
    "it contains the hashes of keys and the server's secrets: store it where only operators can read it",
  ].join('\n');
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
