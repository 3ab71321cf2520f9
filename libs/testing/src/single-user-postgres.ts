import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { chooseServerAccount, findPostgresBinaries } from '#database';

/**
 * Runs one SQL statement in a database of a cluster without a running server. This takes a tenth of the processor time
 * that starting a server and connecting to it takes. If the statement fails, throws the output of PostgreSQL.
 */
export async function runInSingleUserMode(
  cluster: string,
  database: string,
  statement: string,
): Promise<void> {
  const binaries = await findPostgresBinaries();
  const account = await chooseServerAccount(binaries, cluster);
  const { file, args, options } = account.command(binaries.postgres, [
    '--single',
    '-D',
    cluster,
    '-c',
    'shared_buffers=1MB',
    '-c',
    'fsync=off',
    '-c',
    'log_checkpoints=off',
    database,
  ]);
  const child = spawn(file, args, { ...options, cwd: cluster });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(`${statement}\n`);
  const [code, , errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  // The program exits with 0 even if a statement fails.
  if (code !== 0 || errors !== '') throw new Error(`postgres --single: ${errors} (code ${code})`);
}
