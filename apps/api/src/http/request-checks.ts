import { type IncomingMessage } from 'node:http';

import { type FastifyRequest } from 'fastify';

import { invalidInput } from '../problems/problem.error.js';
import { malformedHeader } from './headers.js';

type Stage = 'message' | 'request';

/**
 * Headers that a request carries at most once. Of a repeated header Node joins the values or keeps the first, and a
 * proxy in front of this server may keep another one.
 *
 * A `message` header says where the message goes, where it ends or who sends it, and is checked before the key.
 * A `request` header describes the request itself, and is checked after the key.
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

/** Names under which clients pass keys, however they are written. */
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

/** A path that leads to no route. */
const nowhere = '/~';

/** Refuses messages that RFC 9112 requires a server to refuse. The check needs no key. */
export async function messageHeadersHook({ raw }: FastifyRequest): Promise<void> {
  refuseRepeatedHeaders(raw, 'message');
  const given = raw.headers.host;
  if (given === undefined && raw.httpVersion === '1.1') throw malformedHeader('host', 'is missing');
  if (!hostValue.test(given ?? '')) throw malformedHeader('host', 'is not <name> or <name>:<port>');
}

/** Throws `invalid-header` if a header of this stage is sent more than once. */
export function refuseRepeatedHeaders(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  stage: Stage,
): void {
  const seen = new Set<string>();
  for (const [at, text] of rawHeaders.entries()) {
    const name = at % 2 === 0 ? text.toLowerCase() : '';
    if (singleHeaders[name] !== stage) continue;
    if (seen.has(name)) throw malformedHeader(name, 'is sent more than once');
    seen.add(name);
  }
}

/** Refuses every request with a key in its URL: proxies and logs store URLs, and browsers pass them on in `Referer`. */
export async function urlSecretsHook({ query }: FastifyRequest): Promise<void> {
  const given = Object.keys(query ?? {}).filter(isSecretName);
  if (given.length === 0) return;
  throw invalidInput(
    given.map((name) => ({
      pointer: `/${name}`,
      detail:
        'no key is taken from a URL, which logs and proxies keep: send Authorization: Bearer <secret>, and replace a key that was sent like this',
    })),
  );
}

/** Whether a parameter of this name would hold a key: `access_token`, `accessToken`, `X-Api-Key`. No endpoint has one. */
export function isSecretName(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return secretNames.has(letters) || secretNames.has(letters.replace(/^x/, ''));
}

/** Fastify refuses a malformed path before any hook; a request with this path meets all of them. */
export function routeOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const [path = '/'] = url.split('?', 1);
  return isDecodable(path) ? url : nowhere;
}

export function isMalformedPath({ raw, originalUrl }: FastifyRequest): boolean {
  return raw.url === nowhere && originalUrl !== nowhere;
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
