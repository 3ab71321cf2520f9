import { type Api, type Stated } from '../api.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** How agents say that phases have ended. */
export class Signals {
  constructor(private readonly endpoints: Endpoints) {}

  /** `text` is searched for signals; else one is stated. */
  emit(
    body: Stated<Api.EmitSignalsData>,
    options?: WriteOptions,
  ): Promise<Api.EmitSignalsResponse> {
    return this.endpoints.write('/signals', body, options);
  }
}
