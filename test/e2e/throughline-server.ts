import { type Dispatcher, Pool } from 'undici';

import { rootKey } from './root-key.js';
import { leaseSharedServer } from './shared-servers/lease.js';

const defaultWorkspace = 'default';

export { rootKey };

export type CallOptions = Readonly<{
  /** The secret to send; null sends none. The default is the root key. */
  key?: string | null;
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  text?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}>;

export type Reply = Readonly<{
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  body: ReturnType<typeof JSON.parse>;
}>;

/** Reads an event stream, which does not end by itself, up to the end of the history. */
async function readHistory(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk;
    if (/^event: (up-to-date|reset)$/m.test(text)) break;
  }
  return text;
}

/**
 * A real server in a separate process: `start` starts one for the suite, `shared` leases a workspace of a running one.
 */
export class ThroughlineServer {
  readonly #pool: Pool;

  private constructor(
    readonly url: string,
    /** Calls with the root key act in this workspace. */
    readonly workspace: string,
    /** The log lines so far; empty for a shared server. */
    readonly log: readonly string[],
    private readonly release: () => Promise<number | null>,
  ) {
    this.#pool = new Pool(url);
  }

  /**
   * Starts a server with new stores, for suites about starts, crashes, settings or limits, and about data of all
   * workspaces: the log, metrics, the feed, projections, jobs or dead letters.
   */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<ThroughlineServer> {
    // Imported on demand: most suites use shared servers.
    const { startServer } = await import('./start-server.js');
    const { url, log, stop } = await startServer(env);
    return new ThroughlineServer(url, defaultWorkspace, log, stop);
  }

  /** The running server of this Jest worker, in a new workspace. */
  static async shared(): Promise<ThroughlineServer> {
    const { url, workspace, release } = await leaseSharedServer();
    return new ThroughlineServer(url, workspace, [], release);
  }

  /** A server that the suite has started, with the root key of these tests; `stop` leaves it running. */
  static at(url: string): ThroughlineServer {
    return new ThroughlineServer(url, defaultWorkspace, [], () => Promise.resolve(null));
  }

  /** The name of another workspace that no other suite uses. */
  workspaceNamed(name: string): string {
    return `${this.workspace}.${name}`;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const { key = rootKey, body, text, headers, signal } = options;
    const isInOwnWorkspace = key === rootKey && this.workspace !== defaultWorkspace;
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    // Uses a pool, which sends the path unchanged; a URL would be normalized.
    const answer = await this.#pool.request({
      path,
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...(isInOwnWorkspace && { workspace: this.workspace }),
        ...headers,
      },
      body: content ?? null,
      signal: signal ?? null,
    });
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    const responseText = await (isStream ? readHistory(answer.body) : answer.body.text());
    const isJson = /[/+]json/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: responseText,
      body: isJson && responseText !== '' ? JSON.parse(responseText) : undefined,
    };
  }

  get = (path: string, options?: CallOptions) => this.call('GET', path, options);
  post = (path: string, body?: unknown, options?: CallOptions) =>
    this.call('POST', path, { ...options, body });

  /** Creates a context and returns its path. */
  async context(contextId: string, options?: CallOptions): Promise<string> {
    await this.post('/v1/contexts', { contextId }, options);
    return `/v1/contexts/${contextId}`;
  }

  /** Creates a key and returns its secret. */
  async key(grant: object, options?: CallOptions): Promise<string> {
    const { body } = await this.post('/v1/keys', grant, options);
    return body.secret;
  }

  /** Stops the server and returns its exit code, or releases a shared one. */
  async stop(): Promise<number | null> {
    await this.#pool.destroy();
    return this.release();
  }
}
