import { type IncomingMessage } from 'node:http';

import { type FastifyRequest } from 'fastify';

import { invalidInput } from '../problems/problem.error.js';
import { malformedHeader } from './headers.js';

type Stage = 'message' | 'request';

/**
 * Headers that a request may contain at most once. Node joins the values of a repeated header or takes the first, but a
 * proxy in front of this server may take another one.
 *
 * A `message` header determines the target, the end or the sender of the message, and is checked before the key.
 * A `request` header describes the request, and is checked after the key.
 */
export const singleHeaders: Readonly<Record<string, Stage>> = {
  host: 'message',
  authorization: 'message',
  'content-length': 'message',
  'transfer-encoding': 'message',
  'content-type': 'request',
  'if-match': 'request',
  'idempotency-key': 'request',
  'based-on': 'request',
  'correlation-id': 'request',
  'causation-id': 'request',
  trust: 'request',
  workspace: 'request',
  'last-event-id': 'request',
};

const hostValue = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Parameter names that clients use for keys, without separators and in lower case. */
const secretNames: ReadonlySet<string> = new Set([
  'key',
  'apikey',
  'accesskey',
  'secretkey',
  'privatekey',
  'throughlinekey',
  'token',
  'accesstoken',
  'authtoken',
  'bearertoken',
  'apitoken',
  'auth',
  'authorization',
  'bearer',
  'secret',
  'clientsecret',
  'apisecret',
  'password',
  'passwd',
]);

/** A path without a route. */
const unroutedPath = '/~';

/** Refuses messages that RFC 9112 requires a server to refuse. The check needs no key. */
export async function messageHeadersHook({ raw }: FastifyRequest): Promise<void> {
  refuseRepeatedHeaders(raw, 'message');
  const { host } = raw.headers;
  if (host === undefined && raw.httpVersion === '1.1') throw malformedHeader('host', 'is missing');
  if (!hostValue.test(host ?? '')) throw malformedHeader('host', 'is not <name> or <name>:<port>');
}

/** Throws `invalid-header` if a header of this stage is sent more than once. */
export function refuseRepeatedHeaders(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  stage: Stage,
): void {
  const names = new Set<string>();
  for (const [at, text] of rawHeaders.entries()) {
    const name = at % 2 === 0 ? text.toLowerCase() : '';
    if (singleHeaders[name] !== stage) continue;
    if (names.has(name)) throw malformedHeader(name, 'is sent more than once');
    names.add(name);
  }
}

/** Refuses every request with a key in its URL, because proxies and logs store URLs, and browsers send them in `Referer`. */
export async function urlSecretsHook({ query }: FastifyRequest): Promise<void> {
  const secretParams = Object.keys(query ?? {}).filter(isSecretName);
  if (secretParams.length === 0) return;
  throw invalidInput(
    secretParams.map((name) => ({
      pointer: `/${name}`,
      detail:
        'keys are not accepted in URLs, because logs and proxies store URLs: send Authorization: Bearer <secret>, and replace a key that was sent like this',
    })),
  );
}

/** Whether a parameter with this name probably contains a key: `access_token`, `accessToken`, `X-Api-Key`. No endpoint has such a parameter. */
export function isSecretName(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return secretNames.has(letters) || secretNames.has(letters.replace(/^x/, ''));
}

/** Replaces a malformed path, which Fastify would refuse before any hook runs. */
export function routeOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const [path = '/'] = url.split('?', 1);
  return isDecodable(path) ? url : unroutedPath;
}

export function isMalformedPath({ raw, originalUrl }: FastifyRequest): boolean {
  return raw.url === unroutedPath && originalUrl !== unroutedPath;
}

/** Whether percent-encoded text decodes to UTF-8. */
export function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
