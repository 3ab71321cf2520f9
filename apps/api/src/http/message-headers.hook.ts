import { type FastifyRequest } from 'fastify';

import { malformedHeader } from './headers.js';
import { refuseRepeatedHeaders } from './single-headers.js';

const host = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Refuses what RFC 9112 wants refused of any message, whoever sends it. */
export async function messageHeadersHook({ raw }: FastifyRequest): Promise<void> {
  refuseRepeatedHeaders(raw, 'message');
  const given = raw.headers.host;
  if (given === undefined && raw.httpVersion === '1.1') throw malformedHeader('host', 'is missing');
  if (!host.test(given ?? '')) throw malformedHeader('host', 'is not <name> or <name>:<port>');
}
