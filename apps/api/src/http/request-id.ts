import { type IncomingMessage } from 'node:http';

import { newId } from '#application';

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/** The caller's X-Request-Id where it is 1 to 128 visible ASCII characters, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && visibleAscii.test(given) ? given : newId();
}
