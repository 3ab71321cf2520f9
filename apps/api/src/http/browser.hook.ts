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
/** What pages may read of answers, beside what browsers always let them read. */
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

/** Under which names the server is called, and for pages of which origins. Lower case. */
export type BrowserRules = Readonly<{
  /** Undefined: under any. Names of this machine always are. */
  hosts: ReadonlySet<string> | undefined;
  origins: ReadonlySet<string>;
}>;

/** What the configuration says: if only this machine reaches the server, other names are those of pages that were sent here. */
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

/** The addresses of a connection, as sockets have them. */
export type Ends = Readonly<{
  localAddress?: string | undefined;
  remoteAddress?: string | undefined;
}>;

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
    if (isSameOrigin(request) && isOfConsole(request)) return undefined;
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

/** `header`: the value of `Host`, with or without a port. */
export function allowsHost({ hosts }: BrowserRules, header: string): boolean {
  if (!hosts) return true;
  const name = nameIn(header);
  // No browser sends an empty one.
  return name === '' || isLocal(name) || hosts.has(name);
}

/**
 * Whether this machine calls itself by the address that the connection leads to, as the server does for `/mcp`. A page under a name
 * that leads here (DNS rebinding) sends that name, and never an address.
 */
export function isCallToItself(header: string, { localAddress, remoteAddress }: Ends): boolean {
  if (localAddress === undefined || localAddress !== remoteAddress) return false;
  return nameIn(header) === asInUrl(localAddress);
}

/** Of the ways to write an IPv6 address, the one that URLs and so clients have. */
function asInUrl(address: string): string | undefined {
  if (!isIPv6(address)) return address;
  return withoutBrackets(URL.parse(`http://[${address}]`)?.hostname ?? '');
}

function nameIn(header: string): string {
  return withoutBrackets(header.toLowerCase().replace(/:\d*$/, ''));
}

/** Whether a name or an address is of this machine alone. */
export function isLocal(name: string): boolean {
  return localNames.has(name) || localAddress.test(name);
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
