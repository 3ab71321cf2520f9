import { type FastifyReply, type FastifyRequest } from 'fastify';

import { ProblemError } from '../problems/problem.error.js';
import { allowsHost, type BrowserRules, isCallToItself } from './browser-rules.js';

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const allowedHeaders = [
  ...['Authorization', 'Content-Type', 'Accept', 'Workspace', 'X-Request-Id', 'Last-Event-ID'],
  ...['If-Match', 'If-None-Match', 'Idempotency-Key', 'Based-On', 'Trust'],
  ...['Correlation-Id', 'Causation-Id', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
].join(', ');
/** What pages may read of answers, beside what browsers always let them read. */
const exposedHeaders = [
  ...['ETag', 'Retry-After', 'X-Projection-Lag', 'X-Request-Id', 'Receipt', 'Notes', 'Stored'],
  ...['Content-Disposition', 'Not-Carried', 'WWW-Authenticate'],
].join(', ');
const preflightSeconds = '600';

/**
 * Refuses what browsers send for pages that have no business here: names of this server that are not its own (DNS rebinding), and
 * origins that are not listed. Answers preflights of those that are.
 */
export function browserHook(rules: BrowserRules) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { origin } = request.headers;
    requireOwnHost(rules, request);
    if (rules.origins.size > 0) reply.header('Vary', 'Origin');
    if (origin === undefined) return undefined;
    if (!rules.origins.has(origin.toLowerCase()))
      throw new ProblemError(
        'origin-not-allowed',
        `pages of "${origin}" may not call this server: if they are to, list the origin in CORS_ORIGINS`,
      );
    reply.headers({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders,
    });
    return isPreflight(request) ? answerPreflight(reply) : undefined;
  };
}

function requireOwnHost(
  rules: BrowserRules,
  { headers, routeOptions, socket }: FastifyRequest,
): void {
  const { host } = headers;
  // Whoever asks whether a server lives often knows its address only, and learns nothing else.
  if (host === undefined || routeOptions.url?.startsWith('/health/')) return;
  if (allowsHost(rules, host) || isCallToItself(host, socket)) return;
  throw new ProblemError(
    'host-not-allowed',
    `"${host}" is no name of this server: if it is to be one, list it in ALLOWED_HOSTS`,
  );
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'Access-Control-Allow-Methods': allowedMethods,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': preflightSeconds,
    })
    .send();
}
