import { path } from './address.js';
import { type Api, type QueryOf } from './api.js';
import { Endpoints, type ReadOptions } from './endpoints.js';
import { type HttpClient } from './http-client.js';
import { type WriteOptions } from './request-options.js';
import { type List } from './pages.js';

/** The registry of agents, and their inboxes. */
export class Agents {
  readonly #endpoints: Endpoints;

  constructor(http: HttpClient) {
    this.#endpoints = new Endpoints(http, '/v1/agents');
  }

  list(
    query?: QueryOf<Api.ListAgentsData>,
    options?: ReadOptions,
  ): List<Api.ListAgentsResponse['items'][number]> {
    return this.#endpoints.list('', query, options);
  }

  get(agentId: string, options?: ReadOptions): Promise<Api.GetAgentResponse> {
    return this.#endpoints.read(path`/${agentId}`, undefined, options);
  }

  register(body: Api.RegisterAgentData['body'], options?: WriteOptions) {
    return this.#endpoints.send<Api.RegisterAgentResponse>('POST', '', body, options);
  }

  put(agentId: string, body: Api.PutAgentData['body'], options?: WriteOptions) {
    return this.#endpoints.send<Api.PutAgentResponse>('PUT', path`/${agentId}`, body, options);
  }

  /** Handovers and input requests for the agent. */
  inbox(
    agentId: string,
    query?: QueryOf<Api.ListInboxData>,
    options?: ReadOptions,
  ): List<Api.ListInboxResponse['items'][number]> {
    return this.#endpoints.list(path`/${agentId}/inbox`, query, options);
  }
}
