import { type QueryBus } from '@nestjs/cqrs';
import { type IncomingMessage } from 'node:http';

import { type FastifyReply, type FastifyRequest } from 'fastify';

import { IsLargeContextQuery, type Principal } from '#application';

import { clientSignal } from '../http/client-signal.js';
import { pathParams } from '../http/path-params.js';
import { principalHeader } from './forwarded-principals.js';
import { type WorkerPool } from './worker-pool.js';
import { type ForwardedRequest } from './worker-process.js';

/** Headers that concern one connection, and not the answer. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * Has requests for large contexts answered by a worker, so that others need not wait for them; small ones cost less than
 * the way there. The key is checked and the body read before.
 */
export function forwardingHook(
  workers: WorkerPool,
  queries: QueryBus,
  expensiveRoutes: ReadonlySet<string>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { principal } = request;
    if (!principal || !expensiveRoutes.has(`${request.method} ${request.routeOptions.url}`)) return;
    const contextId = pathParams.contextId.safeParse(Object(request.params).contextId);
    // The endpoint says what is wrong with it.
    if (!contextId.success) return;
    if (!(await queries.execute(new IsLargeContextQuery(principal, contextId.data)))) return;
    const { key, signal } = { key: keyOf(principal), signal: clientSignal(reply.raw) };
    const answer = await workers.forward(forwarded(request, principal), { key, signal });
    return send(reply, answer);
  };
}

function forwarded(request: FastifyRequest, principal: Principal): ForwardedRequest {
  const { id, headers, originalUrl: path, method, bodyText } = request;
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  const own = { 'x-request-id': id, ...principalHeader(principal) };
  return {
    ...{ method, path, headers: { ...Object.fromEntries(kept), ...own } },
    body: method === 'GET' ? undefined : bodyText,
  };
}

function send(reply: FastifyReply, answer: IncomingMessage): FastifyReply {
  const { statusCode = 500, headers } = answer;
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  return reply.code(statusCode).headers(Object.fromEntries(kept)).send(answer);
}

/** All requests of the root key take one turn. */
function keyOf({ workspace, keyId }: Principal): string {
  return keyId ?? `root of ${workspace}`;
}
