import { type Api, type Stated, type QueryOf } from '../api.js';
import { type Endpoints, type ReadOptions } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';
import { type List } from '../pages.js';

/** Versions with names, and what is made from them. */
export class Checkpoints {
  constructor(private readonly endpoints: Endpoints) {}

  /** Names a version. */
  create(
    body: Stated<Api.CreateCheckpointData>,
    options?: WriteOptions,
  ): Promise<Api.CreateCheckpointResponse> {
    return this.endpoints.write('/checkpoints', body, options);
  }

  /** Makes the context what it was at a version or checkpoint, by new events. */
  restore(
    body: Stated<Api.RestoreContextData>,
    options?: WriteOptions,
  ): Promise<Api.RestoreContextResponse> {
    return this.endpoints.write('/restore', body, options);
  }

  /** Makes another context with the history up to a version. */
  fork(
    body: Stated<Api.ForkContextData>,
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
