import { type Api, type WriteBody, type AsOf, type QueryOf } from '../api.js';
import { type Endpoints, type ReadOptions } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';
import { type List } from '../pages.js';

/** References to artifacts. */
export class Artifacts {
  constructor(private readonly endpoints: Endpoints) {}

  /** References a file, a commit or an address outside the context. */
  reference(
    body: WriteBody<Api.ReferenceArtifactData>,
    options?: WriteOptions,
  ): Promise<Api.ReferenceArtifactResponse> {
    return this.endpoints.write('/artifacts', body, options);
  }

  list(
    query?: AsOf<QueryOf<Api.ListArtifactsData>>,
    options?: ReadOptions,
  ): List<Api.ListArtifactsResponse['items'][number]> {
    return this.endpoints.list('/artifacts', query, options);
  }
}
