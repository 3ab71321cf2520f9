import { type Api, type WriteBody, type AsOf, type Decision, type QueryOf } from '../api.js';
import { path } from '../address.js';
import { type Endpoints, type ReadOptions } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';
import { type List } from '../pages.js';

/** Decisions and their authors. */
export class Decisions {
  constructor(private readonly endpoints: Endpoints) {}

  /** Replaces a live decision on its topic only if `supersedes` names it. */
  record(
    body: WriteBody<Api.RecordDecisionData>,
    options?: WriteOptions,
  ): Promise<Api.RecordDecisionResponse> {
    return this.endpoints.write('/decisions', body, options);
  }

  approve(
    decisionId: string,
    body: WriteBody<Api.ApproveDecisionData> = {},
    options?: WriteOptions,
  ): Promise<Api.ApproveDecisionResponse> {
    return this.endpoints.write(path`/decisions/${decisionId}/approve`, body, options);
  }

  reject(
    decisionId: string,
    body: WriteBody<Api.RejectDecisionData> = {},
    options?: WriteOptions,
  ): Promise<Api.RejectDecisionResponse> {
    return this.endpoints.write(path`/decisions/${decisionId}/reject`, body, options);
  }

  list(query?: AsOf<QueryOf<Api.ListDecisionsData>>, options?: ReadOptions): List<Decision> {
    return this.endpoints.list('/decisions', query, options);
  }

  /** Returns which events the author of a decision had read. */
  knowledge(
    decisionId: string,
    query?: QueryOf<Api.GetKnowledgeData>,
    options?: ReadOptions,
  ): Promise<Api.GetKnowledgeResponse> {
    return this.endpoints.read(path`/decisions/${decisionId}/knowledge`, query, options);
  }
}
