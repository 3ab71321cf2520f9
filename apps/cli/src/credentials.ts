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
 * Options take precedence over the environment, and the environment over the root key in the data directory of a local
 * server. The root key is sent to this machine only: a mistyped address must not receive it.
 */
export function resolveConnection(options: ConnectionOptions, env: Environment): Connection {
  // Shells and compose files pass an unset variable as an empty one.
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

function parseUrl(address: string): URL {
  const url = URL.parse(address.endsWith('/') ? address : `${address}/`);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new UsageError(
    `"${address}" is not the address of a server`,
    'use an address such as http://127.0.0.1:3000',
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
