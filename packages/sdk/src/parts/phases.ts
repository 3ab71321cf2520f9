import { type Api, type WriteBody } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Phases of the workflow. */
export class Phases {
  constructor(private readonly endpoints: Endpoints) {}

  start(
    phase: string,
    body: WriteBody<Api.StartPhaseData> = {},
    options?: WriteOptions,
  ): Promise<Api.StartPhaseResponse> {
    return this.endpoints.write(path`/phases/${phase}/start`, body, options);
  }

  complete(
    phase: string,
    body: WriteBody<Api.CompletePhaseData> = {},
    options?: WriteOptions,
  ): Promise<Api.CompletePhaseResponse> {
    return this.endpoints.write(path`/phases/${phase}/complete`, body, options);
  }
}
