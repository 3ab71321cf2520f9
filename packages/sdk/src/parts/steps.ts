import { type Api, type AsOf, type QueryOf, type WriteBody, type StepOutput } from '../api.js';
import { path } from '../address.js';
import { type Endpoints, type ReadOptions } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';
import { type List } from '../pages.js';

type Query = Omit<AsOf<QueryOf<Api.GetStepOutputData>>, 'all' | 'limit' | 'cursor'>;
type Facts = Omit<WriteBody<Api.AddStepOutputData>, 'stepId' | 'output'>;

/** Steps of the work and their outputs. */
export class Steps {
  constructor(private readonly endpoints: Endpoints) {}

  start(
    stepId: string,
    body: WriteBody<Api.StartStepData> = {},
    options?: WriteOptions,
  ): Promise<Api.StartStepResponse> {
    return this.endpoints.write(path`/steps/${stepId}/start`, body, options);
  }

  /** `output` is any JSON, null included. */
  complete(
    stepId: string,
    output: unknown,
    { basedOn, ...facts }: Facts & WriteOptions = {},
  ): Promise<Api.AddStepOutputResponse> {
    const { name, artifactIds, visibility, agentId, ...options } = facts;
    const members = { name, artifactIds, visibility, ...(agentId !== undefined && { agentId }) };
    const body = { stepId, output, ...members, basedOn };
    return this.endpoints.write('/step-outputs', body, options);
  }

  fail(
    stepId: string,
    body: WriteBody<Api.FailStepData>,
    options?: WriteOptions,
  ): Promise<Api.FailStepResponse> {
    return this.endpoints.write(path`/steps/${stepId}/fail`, body, options);
  }

  /** The latest output; null if the step has not completed within `wait` seconds, at most 60 and 0 by default. */
  get(stepId: string, query?: Query, options?: ReadOptions): Promise<StepOutput | null> {
    return this.endpoints.read(path`/step-outputs/${stepId}`, query, options);
  }

  /** All outputs of the step. */
  history(stepId: string, query?: Omit<Query, 'wait'>, options?: ReadOptions): List<StepOutput> {
    return this.endpoints.list(path`/step-outputs/${stepId}`, { ...query, all: true }, options);
  }
}
