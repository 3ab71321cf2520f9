import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { UsageError } from './cli-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ConnectionOptions = Readonly<{
  url?: string | undefined;
  key?: string | undefined;
  workspace?: string | undefined;
}>;

export type Connection = Readonly<{
  url: URL;
  key: string | undefined;
  workspace: string | undefined;
}>;

const localHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Options before environment before what a server on this machine left in its data directory. That root key is
 * offered to this machine only: a mistyped address must not learn it.
 */
export function resolveConnection(options: ConnectionOptions, env: Environment): Connection {
  // An empty variable is how a shell or a compose file says "not set".
  const url = parseUrl(options.url ?? (env['THROUGHLINE_URL'] || localUrl(env)));
  const key = options.key ?? (env['THROUGHLINE_KEY'] || undefined);
  return {
    url,
    key: key ?? (localHosts.has(url.hostname) ? readLocalKey(env) : undefined),
    workspace: options.workspace,
  };
}

function localUrl(env: Environment): string {
  return `http://127.0.0.1:${env['THROUGHLINE_PORT'] || 3000}`;
}

function parseUrl(given: string): URL {
  const url = URL.parse(given.endsWith('/') ? given : `${given}/`);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new UsageError(
    `"${given}" is not the address of a server`,
    'it looks like http://127.0.0.1:3000',
  );
}

function readLocalKey(env: Environment): string | undefined {
  try {
    return readFileSync(join(dataDirectory(env), 'root-key'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function dataDirectory(env: Environment): string {
  return env['THROUGHLINE_DATA_DIR'] || './.throughline';
}
