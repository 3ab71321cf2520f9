import { type Api, type WriteBody } from '../api.js';
import { path } from '../address.js';
import { type Endpoints } from '../endpoints.js';
import { type WriteOptions } from '../request-options.js';

/** Planned work. */
export class Tasks {
  constructor(private readonly endpoints: Endpoints) {}

  plan(body: WriteBody<Api.PlanTaskData>, options?: WriteOptions): Promise<Api.PlanTaskResponse> {
    return this.endpoints.write('/tasks', body, options);
  }

  start(
    taskId: string,
    body: WriteBody<Api.StartTaskData> = {},
    options?: WriteOptions,
  ): Promise<Api.StartTaskResponse> {
    return this.endpoints.write(path`/tasks/${taskId}/start`, body, options);
  }

  block(
    taskId: string,
    body: WriteBody<Api.BlockTaskData>,
    options?: WriteOptions,
  ): Promise<Api.BlockTaskResponse> {
    return this.endpoints.write(path`/tasks/${taskId}/block`, body, options);
  }

  complete(
    taskId: string,
    body: WriteBody<Api.CompleteTaskData> = {},
    options?: WriteOptions,
  ): Promise<Api.CompleteTaskResponse> {
    return this.endpoints.write(path`/tasks/${taskId}/complete`, body, options);
  }
}
