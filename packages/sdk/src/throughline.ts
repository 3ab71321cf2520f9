import { Agents } from './agents.js';
import { type FeedEvent, type Me } from './api.js';
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
    /** Whose work writes are, if the key may act for it; by default the agent of the key. */
    agent?: string | undefined;
  }>;

/** A client of one server with one key. It holds no connection and needs no end. */
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

  /** `THROUGHLINE_URL`, by default `http://127.0.0.1:3000`, and `THROUGHLINE_KEY`; `options` stand over them. */
  static fromEnvironment(options: Partial<ThroughlineOptions> = {}): Throughline {
    const { THROUGHLINE_URL: url, THROUGHLINE_KEY: key } = globalThis.process?.env ?? {};
    // An empty variable is how a shell or a compose file says "not set".
    return new Throughline({
      ...options,
      url: options.url ?? (url || 'http://127.0.0.1:3000'),
      key: options.key ?? (key || undefined),
    });
  }

  /** Nothing is requested until a method of it is called. */
  context(contextId: string): Context {
    return new Context(this.#http, contextId, this.#agent);
  }

  async me(options?: ReadOptions): Promise<Me> {
    return (await this.#http.request<Me>('GET', '/v1/me', options)).body;
  }

  /**
   * Any request of the API by its method and path, typed as the OpenAPI document says, for what has no method here:
   * `tl.call('GET /v1/policies/{audience}', { path: { audience: 'qa' } })`. Resolves with the body of the answer; rejects as `request`, or
   * with a TypeError if a segment of the path is missing. What is text or a stream, such as exports, is for `request`.
   */
  async call<Name extends Operation>(
    operation: Name,
    ...[input, options]: OperationArguments<Name>
  ): Promise<OperationAnswer<Name>> {
    const { method, below, stated } = requestOf(operation, input);
    const request = { ...options, ...stated };
    return (await this.#http.request<OperationAnswer<Name>>(method, below, request)).body;
  }

  /**
   * Any request, with key, retries and errors as all others: `tl.request('GET', path`/v1/contexts/${id}/check`)`. Rejects with a
   * ThroughlineError, or with the reason of `signal`.
   */
  request<T = unknown>(method: Method, path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.#http.request<T>(method, path, options);
  }

  /**
   * Events of all contexts that the key reaches, in order, behind `after`; then each new one as it is stored, until `signal` aborts,
   * which ends the iteration. Lost connections are made again. To go on later, pass the `cursor` of the last event.
   */
  feed(options?: FeedOptions): AsyncGenerator<FeedEvent, void, void> {
    return readFeed(this.#http, options);
  }

  /** Carries out attempts of steps for an agent, until `signal` aborts and what runs has ended. */
  work(options: WorkOptions): Promise<void> {
    return work(this.#http, options);
  }
}
