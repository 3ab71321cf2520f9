import { type FastifyReply, type FastifyRequest } from 'fastify';

/** What every answer says, whatever becomes of the request. */
export async function responseHeadersHook(
  { id }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers({
    'X-Request-Id': id,
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
}
