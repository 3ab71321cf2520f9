import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { UsageError } from '../cli-error.js';
import { type Environment } from '../credentials.js';

/** Refuses a command that cannot be run, before any attempt is claimed for it. */
export async function requireExecutable(command: string, env: Environment): Promise<void> {
  const candidates = /[/\\]/.test(command)
    ? [command]
    : (env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, command));
  for (const path of candidates) if (await isExecutable(path)) return;
  throw new UsageError(
    `cannot run ${command}: there is no such program, or it is not executable`,
    'the command is one program, run without a shell; its arguments follow --',
  );
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
