import { type Api, type WriteBody } from '../api.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Reviews of artifacts, with their issues. */
export class Reviews {
  constructor(private readonly endpoints: Endpoints) {}

  record(
    body: WriteBody<Api.RecordReviewData>,
    options?: WriteOptions,
  ): Promise<Api.RecordReviewResponse> {
    return this.endpoints.write('/reviews', body, options);
  }
}
