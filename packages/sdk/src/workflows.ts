import { path } from './address.js';
import { type Api, type QueryOf } from './api.js';
import { Endpoints, type ReadOptions } from './endpoints.js';
import { type HttpClient } from './http-client.js';
import { type WriteOptions } from './request-options.js';
import { type List } from './pages.js';

type Definition = Exclude<Api.PublishWorkflowData['body'], string>;
type Summary = Api.ListWorkflowsResponse['items'][number];

/** Definitions of workflows. */
export class Workflows {
  readonly #endpoints: Endpoints;

  constructor(http: HttpClient) {
    this.#endpoints = new Endpoints(http, '/v1/workflows');
  }

  publish(definition: Definition, options?: WriteOptions): Promise<Api.PublishWorkflowResponse> {
    return this.#endpoints.send('POST', '', definition, options);
  }

  /** Validates a definition without storing it, and returns its faults. */
  validate(definition: Definition, options?: ReadOptions): Promise<Api.ValidateWorkflowResponse> {
    return this.#endpoints.send('POST', '/validate', definition, options);
  }

  list(query?: QueryOf<Api.ListWorkflowsData>, options?: ReadOptions): List<Summary> {
    return this.#endpoints.list('', query, options);
  }

  /** Returns the version in force, or the requested one. */
  get(
    definitionId: string,
    version?: number,
    options?: ReadOptions,
  ): Promise<Api.GetWorkflowResponse> {
    const below = path`/${definitionId}`;
    return this.#endpoints.read(version ? `${below}/versions/${version}` : below, {}, options);
  }
}
