import { isIPv6 } from 'node:net';

import { type FastifyReply, type FastifyRequest } from 'fastify';

import { isOfConsole, isSameOrigin } from './same-origin.js';
import { ProblemError } from '../problems/problem.error.js';

const localNames: ReadonlySet<string> = new Set(['localhost', '::1']);
const localAddress = /^127(?:\.\d{1,3}){3}$/;

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Workspace',
  'X-Request-Id',
  'Last-Event-ID',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Based-On',
  'Trust',
  'Correlation-Id',
  'Causation-Id',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');
/** Response headers that scripts of pages may read, in addition to the headers that browsers always expose. */
const exposedHeaders = [
  'ETag',
  'Retry-After',
  'X-Projection-Lag',
  'X-Request-Id',
  'Receipt',
  'Notes',
  'Stored',
  'Content-Disposition',
  'Not-Carried',
  'WWW-Authenticate',
].join(', ');
const preflightSeconds = '600';

/** The host names under which the server may be called, and the allowed origins of pages. Lower case. */
export type BrowserRules = Readonly<{
  /** Undefined allows every name. Names of this machine are always allowed. */
  hosts: ReadonlySet<string> | undefined;
  origins: ReadonlySet<string>;
}>;

/**
 * The rules of the configuration. If the server listens only on this machine, a request under another name can only come from a page
 * whose name was made to resolve to this machine.
 */
export function browserRulesOf({
  host,
  allowedHosts,
  corsOrigins,
}: Readonly<{
  host: string;
  allowedHosts: readonly string[];
  corsOrigins: readonly string[];
}>): BrowserRules {
  const isChecked = isLocal(host) || allowedHosts.length > 0;
  const hosts = isChecked ? new Set(allowedHosts.map(withoutBrackets)) : undefined;
  return { hosts, origins: new Set(corsOrigins) };
}

/** The addresses of a connection, as in `net.Socket`. */
type ConnectionAddresses = Readonly<{
  localAddress?: string | undefined;
  remoteAddress?: string | undefined;
}>;

/** Refuses requests with a foreign host name (DNS rebinding) or an origin that is not allowed. Answers preflights of allowed origins. */
export function browserHook(rules: BrowserRules) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { origin } = request.headers;
    requireOwnHost(rules, request);
    if (rules.origins.size > 0) reply.header('Vary', 'Origin');
    if (origin === undefined) return undefined;
    if (isSameOrigin(request) && isOfConsole(request)) return undefined;
    if (!rules.origins.has(origin.toLowerCase()))
      throw new ProblemError(
        'origin-not-allowed',
        `pages of "${origin}" may not call this server: to allow them, list the origin in CORS_ORIGINS`,
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
  // Health checks often use only the address, and their answers contain nothing confidential.
  if (host === undefined || routeOptions.url?.startsWith('/health/')) return;
  if (allowsHost(rules, host) || isCallToItself(host, socket)) return;
  throw new ProblemError(
    'host-not-allowed',
    `"${host}" is not a name of this server: to allow it, list it in ALLOWED_HOSTS`,
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

/** `header` is the value of `Host`, with or without a port. */
export function allowsHost({ hosts }: BrowserRules, header: string): boolean {
  if (!hosts) return true;
  const name = hostNameOf(header);
  // Browsers never send an empty name.
  return name === '' || isLocal(name) || hosts.has(name);
}

/**
 * Whether this machine calls itself by its own address, as the server does for `/mcp`. A page of a rebound name (DNS rebinding) sends
 * that name, and never an address.
 */
export function isCallToItself(
  header: string,
  { localAddress, remoteAddress }: ConnectionAddresses,
): boolean {
  if (localAddress === undefined || localAddress !== remoteAddress) return false;
  return hostNameOf(header) === asInUrl(localAddress);
}

/** An address as clients write it in URLs; an IPv6 address has several notations. */
function asInUrl(address: string): string | undefined {
  if (!isIPv6(address)) return address;
  return withoutBrackets(URL.parse(`http://[${address}]`)?.hostname ?? '');
}

function hostNameOf(header: string): string {
  return withoutBrackets(header.toLowerCase().replace(/:\d*$/, ''));
}

/** Whether a name or an address always means this machine. */
export function isLocal(name: string): boolean {
  return localNames.has(name) || localAddress.test(name);
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
