import { type Api, type WriteBody } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Handovers between agents. */
export class Handovers {
  constructor(private readonly endpoints: Endpoints) {}

  note(
    body: WriteBody<Api.NoteHandoverData>,
    options?: WriteOptions,
  ): Promise<Api.NoteHandoverResponse> {
    return this.endpoints.write('/handovers', body, options);
  }

  /** Only the recipient or a person may acknowledge it. */
  acknowledge(
    handoverId: string,
    body: WriteBody<Api.AcknowledgeHandoverData> = {},
    options?: WriteOptions,
  ): Promise<Api.AcknowledgeHandoverResponse> {
    return this.endpoints.write(path`/handovers/${handoverId}/acknowledge`, body, options);
  }
}
