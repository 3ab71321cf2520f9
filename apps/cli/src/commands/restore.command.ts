import { existsSync } from 'node:fs';

import { z } from 'zod';

import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { openOperations } from '../open-operations.js';
import { countOf, describeRate } from '../rate.js';
import { showRows } from '../row-progress.js';
import { type Terminal } from '../terminal.js';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into an empty database or a new data directory, and verify it',
  arguments: [['<file>', 'file that "throughline backup" wrote']],
  examples: [
    'THROUGHLINE_DATA_DIR=/var/lib/throughline-new throughline restore nightly.backup',
    'DATABASE_URL=postgres://throughline@db.internal/empty throughline restore nightly.backup',
  ],
  input: z.object({ file: z.string() }),
  run: async ({ env, terminal, json }, { file }) => {
    if (!existsSync(file)) throw new UsageError(`${file} does not exist`);
    const started = performance.now();
    const restored = await restoreFile(env, file, terminal).finally(() =>
      terminal.progress?.clear(),
    );
    const seconds = (performance.now() - started) / 1000;
    const { streams, events, header } = restored;
    terminal.write(
      json
        ? JSON.stringify({ createdAt: header.createdAt, rows: restored.rows, streams, events })
        : [
            `${countOf(events, 'event')} of ${countOf(streams, 'stream')} as of ${header.createdAt}, every hash chain verified, ${describeRate(events, seconds)}`,
            'all keys remain valid, including the root key; the next start rebuilds the read models',
          ].join('\n'),
    );
  },
});

async function restoreFile(
  env: Readonly<Record<string, string | undefined>>,
  file: string,
  terminal: Terminal,
) {
  const { config, log, ...operations } = await openOperations(env);
  try {
    return await operations.restoreConfigured(config, log, file, showRows(terminal));
  } catch (error) {
    if (error instanceof operations.BackupFileError)
      throw new CliError(`${file}: ${error.message}`);
    if (
      error instanceof operations.DatabaseNotEmptyError ||
      error instanceof operations.BrokenChainError
    )
      throw new CliError(error.message);
    throw error;
  }
}
