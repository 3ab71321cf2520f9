import { type IncomingMessage } from 'node:http';

import { malformedHeader } from './headers.js';

type Stage = 'message' | 'request';

/**
 * Headers that a request carries at most once. Of a repeated header Node joins the values or keeps the first, and a
 * proxy in front of this server may keep another one.
 *
 * A `message` header says where the message goes, where it ends or who sends it, and is checked before the key.
 * A `request` header says what is asked, and is checked after the key.
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
