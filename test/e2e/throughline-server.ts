import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type Dispatcher, Pool } from 'undici';

import { placeCluster } from '#testing';

import { openServerStores } from './server-stores.js';

const root = join(import.meta.dirname, '..', '..');

export const rootKey = 'root-key-of-the-e2e-tests';

export type CallOptions = Readonly<{
  /** The secret to send; null sends none. Without it the root key. */
  key?: string | null;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  text?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}>;

export type Reply = Readonly<{
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The body as JSON, undefined where there is none. Tests look into it freely. */
  body: ReturnType<typeof JSON.parse>;
}>;

/** The real server as a process of its own, with stores of its own. */
export class ThroughlineServer {
  readonly #pool: Pool;

  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    /** Removes what it stood on. */
    private readonly remove: () => Promise<void>,
    /** What it has logged so far. */
    readonly log: readonly string[],
  ) {
    this.#pool = new Pool(url);
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<ThroughlineServer> {
    const directory = await mkdtemp(join(tmpdir(), 'throughline-e2e-'));
    // PostgreSQL runs as another user where the tests run as root.
    await chmod(directory, 0o755);
    const stores = await openServerStores();
    await placeCluster(join(directory, 'data'));
    const child = spawn(process.execPath, [join(root, 'apps/cli/bin/throughline.mjs'), 'start'], {
      env: {
        ...process.env,
        THROUGHLINE_HOST: '127.0.0.1',
        THROUGHLINE_PORT: '0',
        THROUGHLINE_DATA_DIR: join(directory, 'data'),
        THROUGHLINE_ADMIN_KEY: rootKey,
        ...stores.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const remove = async () => {
      await stores.close();
      await rm(directory, { recursive: true, force: true });
    };
    const log: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
    return new ThroughlineServer(await addressOf(child, log), child, remove, log);
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const { key = rootKey, body, text, headers, signal } = options;
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    // By pool, which sends the path as it is: a URL would be normalised.
    const answer = await this.#pool.request({
      path,
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: sent ?? null,
      signal: signal ?? null,
    });
    const received = await answer.body.text();
    const isJson = /[/+]json/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: received,
      body: isJson && received !== '' ? JSON.parse(received) : undefined,
    };
  }

  get = (path: string, options?: CallOptions) => this.call('GET', path, options);
  post = (path: string, body?: unknown, options?: CallOptions) =>
    this.call('POST', path, { ...options, body });

  /** A new context of this id, and its path. */
  async context(contextId: string, options?: CallOptions): Promise<string> {
    await this.post('/v1/contexts', { contextId }, options);
    return `/v1/contexts/${contextId}`;
  }

  /** A key's secret. */
  async key(grant: object, options?: CallOptions): Promise<string> {
    const { body } = await this.post('/v1/keys', grant, options);
    return body.secret;
  }

  /** Asks it to stop; resolves with its exit code. */
  async stop(): Promise<number | null> {
    const exited = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    const [code] = await exited;
    await this.#pool.destroy();
    await this.remove();
    return code;
  }
}

async function addressOf(child: ChildProcess, log: readonly string[]): Promise<string> {
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  for await (const line of lines) {
    const address = /listens on (http:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error(`the server did not start:\n${log.join('\n')}`);
}
