import { type Api, type Stated } from '../api.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Sections of the story. */
export class Records {
  constructor(private readonly endpoints: Endpoints) {}

  append(
    body: Stated<Api.AppendRecordData>,
    options?: WriteOptions,
  ): Promise<Api.AppendRecordResponse> {
    return this.endpoints.write('/records', body, options);
  }
}
