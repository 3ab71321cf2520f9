import { type IncomingMessage } from 'node:http';

import { type FastifyRequest } from 'fastify';

/** Where no route can be. */
const nowhere = '/~';

/** Fastify refuses such a path before any hook; sent nowhere instead, it meets them all. */
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
