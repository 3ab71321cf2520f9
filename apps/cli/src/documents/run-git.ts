import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

import { CliError } from '../cli-error.js';

/** What git prints, run in a directory and without a shell; it writes nothing into the repository. */
export async function runGit(directory: string, args: readonly string[]): Promise<Buffer> {
  const child = spawn('git', ['--literal-pathspecs', '--no-pager', ...args], {
    cwd: directory,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [code, out, said] = await Promise.all([
    exited,
    buffer(child.stdout),
    text(child.stderr),
  ]).catch((cause: unknown) => {
    throw new CliError('git cannot be run', { cause, next: 'install git, or leave --git out' });
  });
  if (code === 0) return out;
  throw new CliError(`git: ${said.trim() || `it ended with exit code ${code}`}`);
}
