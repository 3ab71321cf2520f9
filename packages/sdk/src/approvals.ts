import { path } from './address.js';
import { type Api, type Approval, type QueryOf } from './api.js';
import { Endpoints, type ReadOptions } from './endpoints.js';
import { type HttpClient } from './http-client.js';
import { type WriteOptions } from './request-options.js';
import { type List } from './pages.js';

/** Approvals that wait for a person. */
export class Approvals {
  readonly #endpoints: Endpoints;

  constructor(http: HttpClient) {
    this.#endpoints = new Endpoints(http, '/v1/approvals');
  }

  list(query?: QueryOf<Api.ListApprovalsData>, options?: ReadOptions): List<Approval> {
    return this.#endpoints.list('', query, options);
  }

  approve(approvalId: string, body: Api.ApproveStepData['body'] = {}, options?: WriteOptions) {
    return this.#decide<Api.ApproveStepResponse>(path`/${approvalId}/approve`, body, options);
  }

  reject(approvalId: string, body: Api.RejectStepData['body'] = {}, options?: WriteOptions) {
    return this.#decide<Api.RejectStepResponse>(path`/${approvalId}/reject`, body, options);
  }

  /** Decides about an attempt in doubt. */
  answer(approvalId: string, body: Api.AnswerDoubtData['body'], options?: WriteOptions) {
    return this.#decide<Api.AnswerDoubtResponse>(path`/${approvalId}/answer`, body, options);
  }

  #decide<T>(below: string, body: unknown, options?: WriteOptions): Promise<T> {
    return this.#endpoints.send('POST', below, body, options);
  }
}
