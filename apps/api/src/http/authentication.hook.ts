import { type QueryBus } from '@nestjs/cqrs';
import { type FastifyRequest } from 'fastify';

import { AuthenticateQuery, AuthenticateSessionQuery, type Principal } from '#application';

import { requireConsolePage } from './same-origin.js';
import { readSessionToken } from './session-cookie.js';
import { invalidInput, ProblemError } from '../problems/problem.error.js';
import { readBearer, readWorkspace } from './headers.js';
import { type RateLimiter } from './rate-limiter.js';
import { isMalformedPath, refuseRepeatedHeaders } from './request-checks.js';

/**
 * Authenticates a request before its body is read. The matched route decides whether a key is needed, because a path can be
 * written in many ways; every route that is not declared public needs a key.
 */
export function authenticationHook(
  queries: QueryBus,
  publicRoutes: ReadonlySet<string>,
  limiter?: RateLimiter,
) {
  return async (request: FastifyRequest): Promise<void> => {
    if (isPublic(request, publicRoutes)) return;
    const principal = await authenticate(queries, request);
    request.principal = principal;
    limiter?.take(principal.keyId);
    refuseRepeatedHeaders(request.raw, 'request');
    if (isMalformedPath(request))
      throw invalidInput([{ pointer: '', detail: 'the path is not percent-encoded UTF-8' }]);
  };
}

function isPublic(
  { is404, originalUrl, routeOptions }: FastifyRequest,
  routes: ReadonlySet<string>,
) {
  return is404 ? !originalUrl.startsWith('/v1') : routes.has(routeOptions.url ?? '');
}

async function authenticate(queries: QueryBus, request: FastifyRequest): Promise<Principal> {
  const { headers } = request;
  const secret = readBearer(headers);
  const token = secret === undefined ? readSessionToken(headers) : undefined;
  if (token !== undefined) requireConsolePage(request);
  const { workspace, fault } = tryWorkspace(headers);
  const principal = await findPrincipal(queries, { secret, token, workspace });
  if (fault !== undefined) throw fault;
  return principal;
}

async function findPrincipal(
  queries: QueryBus,
  {
    secret,
    token,
    workspace,
  }: Readonly<Record<'secret' | 'token' | 'workspace', string | undefined>>,
): Promise<Principal> {
  if (secret !== undefined) {
    const principal = await queries.execute(new AuthenticateQuery(secret, workspace));
    if (principal) return principal;
    throw new ProblemError('unauthenticated', 'the key is unknown, expired or revoked');
  }
  if (token === undefined)
    throw new ProblemError('unauthenticated', 'send Authorization: Bearer <secret>');
  const principal = await queries.execute(new AuthenticateSessionQuery(token, workspace));
  if (principal) return principal;
  throw new ProblemError('unauthenticated', 'the session has ended: sign in again');
}

/** Defers the error, because an invalid key must be reported before a malformed header. */
function tryWorkspace(headers: FastifyRequest['headers']) {
  try {
    return { workspace: readWorkspace(headers), fault: undefined };
  } catch (fault) {
    return { workspace: undefined, fault };
  }
}
