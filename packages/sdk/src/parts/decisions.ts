import { type Api, type Stated, type AsOf, type Decision, type QueryOf } from '../api.js';
import { path } from '../address.js';
import { type Endpoints, type ReadOptions } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';
import { type List } from '../pages.js';

/** What was decided, and by whom. */
export class Decisions {
  constructor(private readonly endpoints: Endpoints) {}

  /** Replaces a live decision on its topic only if `supersedes` names it. */
  record(
    body: Stated<Api.RecordDecisionData>,
    options?: WriteOptions,
  ): Promise<Api.RecordDecisionResponse> {
    return this.endpoints.write('/decisions', body, options);
  }

  approve(
    decisionId: string,
    body: Stated<Api.ApproveDecisionData> = {},
    options?: WriteOptions,
  ): Promise<Api.ApproveDecisionResponse> {
    return this.endpoints.write(path`/decisions/${decisionId}/approve`, body, options);
  }

  reject(
    decisionId: string,
    body: Stated<Api.RejectDecisionData> = {},
    options?: WriteOptions,
  ): Promise<Api.RejectDecisionResponse> {
    return this.endpoints.write(path`/decisions/${decisionId}/reject`, body, options);
  }

  list(query?: AsOf<QueryOf<Api.ListDecisionsData>>, options?: ReadOptions): List<Decision> {
    return this.endpoints.list('/decisions', query, options);
  }

  /** What is known around a decision: what it rests on, and what rests on it. */
  knowledge(
    decisionId: string,
    query?: QueryOf<Api.GetKnowledgeData>,
    options?: ReadOptions,
  ): Promise<Api.GetKnowledgeResponse> {
    return this.endpoints.read(path`/decisions/${decisionId}/knowledge`, query, options);
  }
}
