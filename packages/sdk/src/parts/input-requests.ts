import { type Api, type WriteBody } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Requests of agents for input from other agents. */
export class InputRequests {
  constructor(private readonly endpoints: Endpoints) {}

  request(
    body: WriteBody<Api.RequestInputData>,
    options?: WriteOptions,
  ): Promise<Api.RequestInputResponse> {
    return this.endpoints.write('/input-requests', body, options);
  }

  provide(
    inputRequestId: string,
    body: WriteBody<Api.ProvideInputData> = {},
    options?: WriteOptions,
  ): Promise<Api.ProvideInputResponse> {
    return this.endpoints.write(path`/input-requests/${inputRequestId}/provide`, body, options);
  }
}
