import { type Api, type Stated } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Notes for the agent that takes over. */
export class Handovers {
  constructor(private readonly endpoints: Endpoints) {}

  note(
    body: Stated<Api.NoteHandoverData>,
    options?: WriteOptions,
  ): Promise<Api.NoteHandoverResponse> {
    return this.endpoints.write('/handovers', body, options);
  }

  /** For the addressee, or a person. */
  acknowledge(
    handoverId: string,
    body: Stated<Api.AcknowledgeHandoverData> = {},
    options?: WriteOptions,
  ): Promise<Api.AcknowledgeHandoverResponse> {
    return this.endpoints.write(path`/handovers/${handoverId}/acknowledge`, body, options);
  }
}
