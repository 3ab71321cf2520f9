import { type Api, type Stated } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** What one agent needs of another. */
export class InputRequests {
  constructor(private readonly endpoints: Endpoints) {}

  request(
    body: Stated<Api.RequestInputData>,
    options?: WriteOptions,
  ): Promise<Api.RequestInputResponse> {
    return this.endpoints.write('/input-requests', body, options);
  }

  provide(
    inputRequestId: string,
    body: Stated<Api.ProvideInputData> = {},
    options?: WriteOptions,
  ): Promise<Api.ProvideInputResponse> {
    return this.endpoints.write(path`/input-requests/${inputRequestId}/provide`, body, options);
  }
}
