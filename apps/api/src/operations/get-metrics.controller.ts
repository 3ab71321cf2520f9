import { Controller } from '@nestjs/common';

import { type Answer, TextAnswer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { ServerState } from '../http/server-state.js';

const getMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  tag: 'Operations',
  summary: 'Read metrics in the format of Prometheus',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The metrics', mediaType: 'text/plain' } },
});

@Controller()
export class GetMetricsController {
  constructor(private readonly state: ServerState) {}

  @Handles(getMetrics)
  async getMetrics(): Promise<Answer> {
    const { registry } = this.state;
    return new TextAnswer(await registry.metrics(), registry.contentType);
  }
}
