import { type Dispatcher, Pool } from 'undici';

import { rootKey } from './root-key.js';
import { leaseSharedServer } from './shared-servers/lease.js';

const defaultWorkspace = 'default';

export { rootKey };

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
  /** The body as JSON, undefined if it is something else. */
  body: ReturnType<typeof JSON.parse>;
}>;

/** Reads a stream of events that does not end by itself: what was stored when it was opened. */
async function history(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk;
    if (/^event: (up-to-date|reset)$/m.test(text)) break;
  }
  return text;
}

/** A real server in a process of its own; `start` gives a suite its own, `shared` a workspace in a running one. */
export class ThroughlineServer {
  readonly #pool: Pool;

  private constructor(
    readonly url: string,
    /** Calls with the root key act in it. */
    readonly workspace: string,
    /** Its log lines so far; of a shared server none. */
    readonly log: readonly string[],
    private readonly release: () => Promise<number | null>,
  ) {
    this.#pool = new Pool(url);
  }

  /**
   * A server with stores of its own: for suites about starts, crashes, settings or limits, and for those that read the
   * log, metrics, the feed, projections, jobs or dead letters, which concern all workspaces.
   */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<ThroughlineServer> {
    // Most suites share servers and need none of what starts one.
    const { startServer } = await import('./start-server.js');
    const { url, log, stop } = await startServer(env);
    return new ThroughlineServer(url, defaultWorkspace, log, stop);
  }

  /** The running server of this Jest worker, in a workspace that nobody else has. */
  static async shared(): Promise<ThroughlineServer> {
    const { url, workspace, release } = await leaseSharedServer();
    return new ThroughlineServer(url, workspace, [], release);
  }

  /** A server with the root key of these tests that its suite has started otherwise; `stop` leaves it running. */
  static at(url: string): ThroughlineServer {
    return new ThroughlineServer(url, defaultWorkspace, [], () => Promise.resolve(null));
  }

  /** A name for another workspace that no other suite uses. */
  workspaceNamed(name: string): string {
    return `${this.workspace}.${name}`;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const { key = rootKey, body, text, headers, signal } = options;
    const isInOwnWorkspace = key === rootKey && this.workspace !== defaultWorkspace;
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    // By pool, which sends the path as it is: a URL would be normalised.
    const answer = await this.#pool.request({
      path,
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(isInOwnWorkspace && { workspace: this.workspace }),
        ...headers,
      },
      body: sent ?? null,
      signal: signal ?? null,
    });
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    const received = await (isStream ? history(answer.body) : answer.body.text());
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

  /** Stops its own server and returns the exit code; gives a shared one back. */
  async stop(): Promise<number | null> {
    await this.#pool.destroy();
    return this.release();
  }
}
