import { type ProcessResult, throughline } from './server-process.js';
import { rootKey, type ThroughlineServer } from './throughline-server.js';

/** Runs one command line with the root key, in the server's workspace. */
export function throughlineOn(
  { url, workspace }: ThroughlineServer,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<ProcessResult> {
  return throughline(
    [...args, '--workspace', workspace],
    { THROUGHLINE_URL: url, THROUGHLINE_KEY: rootKey, ...env },
    undefined,
    cwd,
  );
}
