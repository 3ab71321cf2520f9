import { type FastifyReply, type FastifyRequest } from 'fastify';

import { ProblemError } from '../problems/problem.error.js';

/** What every answer says, whatever becomes of the request. */
export async function responseHeadersHook(
  { id, headers, raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers({
    'X-Request-Id': id,
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw new ProblemError('invalid-header', 'Host is missing');
}
