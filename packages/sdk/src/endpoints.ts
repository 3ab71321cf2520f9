import { type Query } from './address.js';
import { type HttpClient } from './http-client.js';
import { type Method, type WriteOptions } from './request-options.js';
import { List, type ListQuery } from './pages.js';

export type ReadOptions = Readonly<{ signal?: AbortSignal | undefined }>;

type Body = Readonly<{ basedOn?: string | undefined; [member: string]: unknown }>;

/** Sends requests to the endpoints below one path. */
export class Endpoints {
  constructor(
    readonly http: HttpClient,
    /** Without a slash at its end. */
    readonly base: string,
    /** The agent on whose behalf to write; by default that of the key. */
    readonly agent?: string | undefined,
  ) {}

  async read<T>(below: string, query?: Query, options?: ReadOptions): Promise<T> {
    return (await this.http.request<T>('GET', this.base + below, { ...options, query })).body;
  }

  list<Item>(below: string, query: Query & ListQuery = {}, options?: ReadOptions): List<Item> {
    return new List<Item>(this.http, this.base + below, query, options);
  }

  /** Sends a write whose body names the agent. */
  write<T>(below: string, { basedOn, ...body }: Body, options?: WriteOptions): Promise<T> {
    const agent = this.agent === undefined ? {} : { agentId: this.agent };
    const origin = basedOn === undefined ? {} : { basedOn };
    return this.send('POST', below, { ...agent, ...body }, { ...options, ...origin });
  }

  async send<T>(method: Method, below: string, body: unknown, options?: WriteOptions): Promise<T> {
    return (await this.http.request<T>(method, this.base + below, { ...options, body })).body;
  }
}
