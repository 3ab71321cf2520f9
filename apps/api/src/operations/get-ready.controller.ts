import { Controller } from '@nestjs/common';

import { ContextChanges } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { ServerState } from '../http/server-state.js';

const getReady = endpoint({
  method: 'GET',
  path: '/health/ready',
  tag: 'Operations',
  summary: 'Check whether the server is ready for requests',
  access: 'public',
  audience: 'none',
  answers: {
    200: { description: 'The server is ready' },
    503: { description: 'The server is not ready; `checks` lists the missing parts' },
  },
});

@Controller()
export class GetReadyController {
  constructor(
    private readonly state: ServerState,
    private readonly changes: ContextChanges,
  ) {}

  @Handles(getReady)
  async getReady(): Promise<Answer> {
    if (this.changes.stopping) return unready({ server: 'stopping' });
    const { ready, checks } = await this.state.readiness();
    return ready ? new Answer(200, { status: 'ready', checks }) : unready(checks);
  }
}

function unready(checks: Readonly<Record<string, string>>): Answer {
  return new Answer(503, { status: 'unready', checks }, { 'Retry-After': '1' });
}
