import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';

import { CliError } from '../cli-error.js';

/** Runs git in a directory, without a shell, and returns its output. It writes nothing to the repository. */
export async function runGit(directory: string, args: readonly string[]): Promise<Buffer> {
  const child = spawn('git', ['--literal-pathspecs', '--no-pager', ...args], {
    cwd: directory,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [code, out, errors] = await Promise.all([
    exited,
    buffer(child.stdout),
    text(child.stderr),
  ]).catch((cause: unknown) => {
    throw new CliError('git cannot be run', { cause, next: 'install git, or omit --git' });
  });
  if (code === 0) return out;
  throw new CliError(`git: ${errors.trim() || `it ended with exit code ${code}`}`);
}
