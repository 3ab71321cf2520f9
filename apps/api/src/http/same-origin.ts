import { type FastifyRequest } from 'fastify';

import { ProblemError } from '../problems/problem.error.js';

/** The header that every request with a session cookie must have: pages of other origins cannot send it without a preflight. */
const consoleHeader = 'x-throughline-console';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the page that sent a request has the origin of this server: the scheme may differ if a proxy terminates TLS. */
export function isSameOrigin({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { origin, host } = headers;
  return (
    origin !== undefined && host !== undefined && URL.parse(origin)?.host === host.toLowerCase()
  );
}

/** Whether the console sent a request: then it may have the origin of this server. */
export function isOfConsole({ headers, routeOptions }: FastifyRequest): boolean {
  return headers[consoleHeader] !== undefined || (routeOptions.url ?? '').startsWith('/console');
}

/** Refuses a request with a session cookie that another page may have caused (cross-site request forgery). */
export function requireConsolePage(request: FastifyRequest): void {
  if (request.headers[consoleHeader] === undefined)
    throw new ProblemError(
      'unauthenticated',
      `a session cookie is accepted only with the header X-Throughline-Console; programs send Authorization: Bearer <secret>`,
    );
  if (!safeMethods.has(request.method) && !isSameOrigin(request))
    throw new ProblemError(
      'origin-not-allowed',
      'a write with a session cookie needs the Origin of this server',
    );
}
