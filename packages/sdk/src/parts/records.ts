import { type Api, type WriteBody } from '../api.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Records: sections of the story. */
export class Records {
  constructor(private readonly endpoints: Endpoints) {}

  append(
    body: WriteBody<Api.AppendRecordData>,
    options?: WriteOptions,
  ): Promise<Api.AppendRecordResponse> {
    return this.endpoints.write('/records', body, options);
  }
}
