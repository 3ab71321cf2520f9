import { Agents } from './agents.js';
import { type FeedEvent, type PrincipalInfo } from './api.js';
import { Approvals } from './approvals.js';
import { Context } from './context.js';
import { Contexts } from './contexts.js';
import { type ReadOptions } from './endpoints.js';
import { type FeedOptions, readFeed } from './feed.js';
import { type Answer } from './http-answer.js';
import { HttpClient } from './http-client.js';
import { type HttpOptions, type Method, type RequestOptions } from './request-options.js';
import { Keys } from './keys.js';
import {
  type Operation,
  type OperationAnswer,
  type OperationArguments,
  requestOf,
} from './operations.js';
import { Runs } from './runs.js';
import { work, type WorkOptions } from './work.js';
import { Workflows } from './workflows.js';

export type ThroughlineOptions = HttpOptions &
  Readonly<{
    /** The agent on whose behalf to write, if the key may act for it; by default the agent of the key. */
    agent?: string | undefined;
  }>;

/** A client of one server with one key. It holds no connection and need not be closed. */
export class Throughline {
  readonly contexts: Contexts;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly workflows: Workflows;
  readonly agents: Agents;
  readonly keys: Keys;
  readonly #http: HttpClient;
  readonly #agent: string | undefined;

  constructor({ agent, ...options }: ThroughlineOptions) {
    this.#http = new HttpClient(options);
    this.#agent = agent;
    this.contexts = new Contexts(this.#http, agent);
    this.runs = new Runs(this.#http);
    this.approvals = new Approvals(this.#http);
    this.workflows = new Workflows(this.#http);
    this.agents = new Agents(this.#http);
    this.keys = new Keys(this.#http);
  }

  /** `THROUGHLINE_URL`, by default `http://127.0.0.1:3000`, and `THROUGHLINE_KEY`; `options` take precedence. */
  static fromEnvironment(options: Partial<ThroughlineOptions> = {}): Throughline {
    const { THROUGHLINE_URL: url, THROUGHLINE_KEY: key } = globalThis.process?.env ?? {};
    // Shells and compose files pass an unset variable as an empty one.
    return new Throughline({
      ...options,
      url: options.url ?? (url || 'http://127.0.0.1:3000'),
      key: options.key ?? (key || undefined),
    });
  }

  /** No request is sent until a method of the context is called. */
  context(contextId: string): Context {
    return new Context(this.#http, contextId, this.#agent);
  }

  async me(options?: ReadOptions): Promise<PrincipalInfo> {
    return (await this.#http.request<PrincipalInfo>('GET', '/v1/me', options)).body;
  }

  /**
   * Sends any request of the API by its method and path, typed by the OpenAPI document, for requests without their own method:
   * `tl.call('GET /v1/policies/{audience}', { path: { audience: 'qa' } })`. Resolves with the body of the answer; rejects as `request`, or
   * with a TypeError if a segment of the path is missing. Use `request` for text and streams, such as exports.
   */
  async call<Name extends Operation>(
    operation: Name,
    ...[input, options]: OperationArguments<Name>
  ): Promise<OperationAnswer<Name>> {
    const { method, below, options: own } = requestOf(operation, input);
    const request = { ...options, ...own };
    return (await this.#http.request<OperationAnswer<Name>>(method, below, request)).body;
  }

  /**
   * Sends any request, with key, retries and errors like all others: `tl.request('GET', path`/v1/contexts/${id}/check`)`. Rejects with a
   * ThroughlineError, or with the reason of `signal`.
   */
  request<T = unknown>(method: Method, path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.#http.request<T>(method, path, options);
  }

  /**
   * Yields the events of all contexts that the key reaches, in order, after `after`; then each new one when it is stored, until
   * `signal` aborts, which ends the iteration. It reconnects after a lost connection. To continue later, pass the `cursor` of the
   * last event.
   */
  feed(options?: FeedOptions): AsyncGenerator<FeedEvent, void, void> {
    return readFeed(this.#http, options);
  }

  /** Executes attempts of steps for an agent, until `signal` aborts and running attempts have ended. */
  work(options: WorkOptions): Promise<void> {
    return work(this.#http, options);
  }
}
