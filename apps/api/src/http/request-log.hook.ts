import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { type ServerState } from './server-state.js';

const debugRoutes: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/** The status that nginx logs if the client closes the connection before it has the answer. */
const clientClosedRequest = 499;

/** The caller's X-Request-Id if it is 1 to 128 visible ASCII characters, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const requestId = headers['x-request-id'];
  return typeof requestId === 'string' && visibleAscii.test(requestId) ? requestId : randomUUID();
}

/** The headers of every answer. */
export async function responseHeadersHook(
  { id }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers({
    'X-Request-Id': id,
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
}

/**
 * Logs one line per request, answered or aborted: the route, but never the path as sent, a body, the value of a header other than the
 * ids of request and correlation, or a secret.
 */
export function requestLogHook(logger: Logger, { requests }: ServerState) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const started = performance.now();
    const { raw } = reply;
    raw.once('close', () => {
      const durationMs = performance.now() - started;
      const status = raw.writableFinished ? raw.statusCode : clientClosedRequest;
      const { method } = request;
      const route = request.routeOptions.url ?? 'none';
      requests.observe({ method, route, status: String(status) }, durationMs / 1000);
      const line = { method, route, status, durationMs: Math.round(durationMs * 10) / 10 };
      logger[debugRoutes.has(route) ? 'debug' : 'info'](
        { ...line, ...callerFields(request) },
        'request',
      );
    });
  };
}

function callerFields({ id: requestId, headers, principal, problem }: FastifyRequest): object {
  const correlationId = headers['correlation-id'];
  return {
    requestId,
    ...(correlationId !== undefined && { correlationId }),
    ...(principal && { principal: principal.name, workspace: principal.workspace }),
    ...(problem && { problem }),
  };
}
