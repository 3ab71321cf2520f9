import { type Api, type WriteBody, type QueryOf } from '../api.js';
import { type Endpoints, type ReadOptions } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';
import { type List } from '../pages.js';

/** Named versions, restores and forks. */
export class Checkpoints {
  constructor(private readonly endpoints: Endpoints) {}

  /** Names a version. */
  create(
    body: WriteBody<Api.CreateCheckpointData>,
    options?: WriteOptions,
  ): Promise<Api.CreateCheckpointResponse> {
    return this.endpoints.write('/checkpoints', body, options);
  }

  /** Restores the state of a version or checkpoint by new events. */
  restore(
    body: WriteBody<Api.RestoreContextData>,
    options?: WriteOptions,
  ): Promise<Api.RestoreContextResponse> {
    return this.endpoints.write('/restore', body, options);
  }

  /** Creates a context from the state at a version. */
  fork(
    body: WriteBody<Api.ForkContextData>,
    options?: WriteOptions,
  ): Promise<Api.ForkContextResponse> {
    return this.endpoints.write('/forks', body, options);
  }

  list(
    query?: QueryOf<Api.ListCheckpointsData>,
    options?: ReadOptions,
  ): List<Api.ListCheckpointsResponse['items'][number]> {
    return this.endpoints.list('/checkpoints', query, options);
  }
}
