import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { type ServerState } from './server-state.js';

const quiet: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/** The status that nginx logs if the client closes the connection before it has the answer. */
const clientGone = 499;

/** The caller's X-Request-Id if it is 1 to 128 visible ASCII characters, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && visibleAscii.test(given) ? given : randomUUID();
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
 * One line a request, answered or abandoned: the route, never the address as sent; never a body, a header's
 * value or a secret.
 */
export function requestLogHook(logger: Logger, { requests }: ServerState) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const started = performance.now();
    const { raw } = reply;
    raw.once('close', () => {
      const durationMs = performance.now() - started;
      const status = raw.writableFinished ? raw.statusCode : clientGone;
      const { method } = request;
      const route = request.routeOptions.url ?? 'none';
      requests.observe({ method, route, status: String(status) }, durationMs / 1000);
      const line = { method, route, status, durationMs: Math.round(durationMs * 10) / 10 };
      logger[quiet.has(route) ? 'debug' : 'info']({ ...line, ...whoAndWhy(request) }, 'request');
    });
  };
}

function whoAndWhy({ id: requestId, headers, principal, problem }: FastifyRequest): object {
  const correlationId = headers['correlation-id'];
  return {
    requestId,
    ...(correlationId !== undefined && { correlationId }),
    ...(principal && { principal: principal.name, workspace: principal.workspace }),
    ...(problem && { problem }),
  };
}
