import {
  type Api,
  type ContextSummary,
  type QueryOf,
  type WriteBody,
  type WriteResult,
} from './api.js';
import { Endpoints, type ReadOptions } from './endpoints.js';
import { type HttpClient } from './http-client.js';
import { type WriteOptions } from './request-options.js';
import { type List } from './pages.js';

type ListQuery = Omit<QueryOf<Api.ListContextsData>, 'contains'> &
  Readonly<{
    /** JSON in the shape of the document; only contexts that contain it are listed. */
    contains?: Readonly<Record<string, unknown>> | undefined;
  }>;

/** The contexts that the key reaches. */
export class Contexts {
  readonly #endpoints: Endpoints;

  constructor(http: HttpClient, agent: string | undefined) {
    this.#endpoints = new Endpoints(http, '/v1/contexts', agent);
  }

  /** Without `contextId`, the server generates one. */
  create(
    body: WriteBody<Api.CreateContextData> = {},
    options?: WriteOptions,
  ): Promise<WriteResult> {
    return this.#endpoints.write('', body, options);
  }

  /** Newest first. */
  list({ contains, ...query }: ListQuery = {}, options?: ReadOptions): List<ContextSummary> {
    const content = contains && { contains: JSON.stringify(contains) };
    return this.#endpoints.list('', { ...query, ...content }, options);
  }
}
