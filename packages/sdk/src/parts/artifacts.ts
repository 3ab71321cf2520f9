import { type Api, type Stated, type AsOf, type QueryOf } from '../api.js';
import { type Endpoints, type ReadOptions } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';
import { type List } from '../pages.js';

/** References to what was made. */
export class Artifacts {
  constructor(private readonly endpoints: Endpoints) {}

  /** Names what lies elsewhere: a file, a commit, an address. */
  reference(
    body: Stated<Api.ReferenceArtifactData>,
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
