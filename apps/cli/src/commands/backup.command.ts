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

/** What a person must know of such a backup before it is needed. */
const ofKurrent =
  'the streams were read from KurrentDB: a restore puts them into PostgreSQL, with positions counted anew; from there "throughline store copy" brings them back';

export const backup = defineCommand({
  name: 'backup',
  summary:
    'Write everything that cannot be rebuilt to a file, while servers run or while they do not',
  arguments: [['<file>', 'file to write; it must not exist yet']],
  options: [['--force', 'replace the file where it exists']],
  examples: [
    'throughline backup throughline-2026-11-21.backup',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline backup nightly.backup --force',
  ],
  input: z.object({ file: z.string(), force: z.boolean().optional() }),
  run: async ({ env, terminal, json }, { file, force }) => {
    if (!force && existsSync(file))
      throw new UsageError(`${file} exists already`, 'name another file, or add --force');
    const started = performance.now();
    const written = await backUp(env, file, terminal).finally(() => terminal.progress?.clear());
    const seconds = (performance.now() - started) / 1000;
    terminal.write(
      json ? JSON.stringify({ file: resolve(file), ...written }) : describe(file, written, seconds),
    );
    // An empty variable is none.
    if (env['EVENTSTORE_URL']) terminal.warn(ofKurrent);
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

type Written = Awaited<ReturnType<typeof backUp>>;

function describe(file: string, { rows, tables }: Written, seconds: number): string {
  const { events = 0, streams = 0 } = tables;
  return [
    `${file}: ${countOf(events, 'event')} of ${countOf(streams, 'stream')}, ${countOf(rows, 'row')} in all, ${describeRate(events, seconds)}`,
    "it holds the hashes of keys and the server's secrets: keep it where only operators can read it",
  ].join('\n');
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
