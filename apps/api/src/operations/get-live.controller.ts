import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';

const getLive = endpoint({
  method: 'GET',
  path: '/health/live',
  tag: 'Operations',
  summary: 'Check whether the process is alive',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The process is alive' } },
});

@Controller()
export class GetLiveController {
  @Handles(getLive)
  getLive(): Answer {
    return new Answer(200, { status: 'live' });
  }
}
