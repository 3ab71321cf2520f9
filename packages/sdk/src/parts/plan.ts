import { type Api, type WriteBody } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Requirements, risks, dependencies and blockers. */
export class Plan {
  constructor(private readonly endpoints: Endpoints) {}

  recordRequirement(
    body: WriteBody<Api.RecordRequirementData>,
    options?: WriteOptions,
  ): Promise<Api.RecordRequirementResponse> {
    return this.endpoints.write('/requirements', body, options);
  }

  raiseRisk(
    body: WriteBody<Api.RaiseRiskData>,
    options?: WriteOptions,
  ): Promise<Api.RaiseRiskResponse> {
    return this.endpoints.write('/risks', body, options);
  }

  updateRisk(
    riskId: string,
    body: WriteBody<Api.UpdateRiskData>,
    options?: WriteOptions,
  ): Promise<Api.UpdateRiskResponse> {
    return this.endpoints.write(path`/risks/${riskId}`, body, options);
  }

  declareDependency(
    body: WriteBody<Api.DeclareDependencyData>,
    options?: WriteOptions,
  ): Promise<Api.DeclareDependencyResponse> {
    return this.endpoints.write('/dependencies', body, options);
  }

  raiseBlocker(
    body: WriteBody<Api.RaiseBlockerData>,
    options?: WriteOptions,
  ): Promise<Api.RaiseBlockerResponse> {
    return this.endpoints.write('/blockers', body, options);
  }

  clearBlocker(
    blockerId: string,
    body: WriteBody<Api.ClearBlockerData> = {},
    options?: WriteOptions,
  ): Promise<Api.ClearBlockerResponse> {
    return this.endpoints.write(path`/blockers/${blockerId}/clear`, body, options);
  }
}
