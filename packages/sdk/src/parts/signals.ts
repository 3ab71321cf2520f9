import { type Api, type WriteBody } from '../api.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Signals by which agents report the end of phases. */
export class Signals {
  constructor(private readonly endpoints: Endpoints) {}

  /** Stores the signals in `text`, or the signal of the other members. */
  emit(
    body: WriteBody<Api.EmitSignalsData>,
    options?: WriteOptions,
  ): Promise<Api.EmitSignalsResponse> {
    return this.endpoints.write('/signals', body, options);
  }
}
