import { type Api, type Stated } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Repetitions, which circuit breakers limit. */
export class Iterations {
  constructor(private readonly endpoints: Endpoints) {}

  /** Rejects with `circuit-open` if the subject was repeated as often as allowed. */
  start(
    body: Stated<Api.StartIterationData>,
    options?: WriteOptions,
  ): Promise<Api.StartIterationResponse> {
    return this.endpoints.write('/iterations', body, options);
  }

  /** For people. */
  resetBreaker(
    subject: string,
    body: Stated<Api.ResetCircuitBreakerData> = {},
    options?: WriteOptions,
  ): Promise<Api.ResetCircuitBreakerResponse> {
    return this.endpoints.write(path`/circuit-breakers/${subject}/reset`, body, options);
  }
}
