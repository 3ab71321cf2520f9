import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { type ServerState } from '../operations/server-state.js';

const quiet: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/** One line a request: the route, never the address as sent; never a body, a header's value or a secret. */
export function requestLogHook(logger: Logger, { requests }: ServerState) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { method, routeOptions, id: requestId, principal, problem } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = routeOptions.url ?? 'none';
    requests.observe({ method, route, status: String(status) }, elapsedTime / 1000);
    const correlationId = request.headers['correlation-id'];
    logger[quiet.has(route) ? 'debug' : 'info'](
      {
        method,
        route,
        status,
        durationMs: Math.round(elapsedTime * 10) / 10,
        requestId,
        ...(correlationId !== undefined && { correlationId }),
        ...(principal && { principal: principal.name, workspace: principal.workspace }),
        ...(problem && { problem }),
      },
      'request',
    );
  };
}
