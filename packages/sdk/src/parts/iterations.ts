import { type Api, type WriteBody } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Iterations of loops, which circuit breakers limit. */
export class Iterations {
  constructor(private readonly endpoints: Endpoints) {}

  /** Rejects with `circuit-open` if the limit of iterations is reached. */
  start(
    body: WriteBody<Api.StartIterationData>,
    options?: WriteOptions,
  ): Promise<Api.StartIterationResponse> {
    return this.endpoints.write('/iterations', body, options);
  }

  /** Only a person may reset it. */
  resetBreaker(
    subject: string,
    body: WriteBody<Api.ResetCircuitBreakerData> = {},
    options?: WriteOptions,
  ): Promise<Api.ResetCircuitBreakerResponse> {
    return this.endpoints.write(path`/circuit-breakers/${subject}/reset`, body, options);
  }
}
