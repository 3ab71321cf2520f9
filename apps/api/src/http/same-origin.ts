import { type FastifyRequest } from 'fastify';

import { ProblemError } from '../problems/problem.error.js';

/** The header that every request with a session cookie must have: pages of other origins cannot send it without a preflight. */
const consoleHeader = 'x-throughline-console';

type OriginRequest = Readonly<{ headers: Pick<FastifyRequest['headers'], 'origin' | 'host'> }>;

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether the page that sent a request has the origin of this server: the scheme may differ if a proxy terminates TLS. Some proxies add
 * the default port of that scheme to `Host`, which browsers omit.
 */
export function isSameOrigin({ headers: { origin, host } }: OriginRequest): boolean {
  const page = URL.parse(origin ?? '');
  if (page === null || host === undefined || !/^https?:$/.test(page.protocol)) return false;
  return URL.parse(`${page.protocol}//${host}`)?.host === page.host;
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
      'a write with a session cookie needs the Origin of this server; a proxy must forward the header Host of the browser',
    );
}
