import { type FastifyRequest } from 'fastify';

import { type Principal, principalSchema } from '#application';

const header = 'x-throughline-principal';

/** The headers of the caller, and what a key is limited to, which came in a body of a mebibyte at most. */
export const maxHeaderSize = 2 * 1_048_576;

/** The header that tells a worker the principal of a request; a client's header of this name is replaced. */
export function principalHeader(principal: Principal): Readonly<Record<string, string>> {
  return { [header]: Buffer.from(JSON.stringify(principal)).toString('base64url') };
}

/**
 * A hook for workers in the place of the one that checks keys. Only the process that started a worker reaches its
 * socket, and has checked the key.
 */
export async function trustForwarded(request: FastifyRequest): Promise<void> {
  const sent = request.headers[header];
  if (typeof sent !== 'string') throw new Error('a worker answers forwarded requests only');
  const text = Buffer.from(sent, 'base64url').toString();
  request.principal = principalSchema.parse(JSON.parse(text));
}
