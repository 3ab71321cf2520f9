import { type FastifyRequest } from 'fastify';

import { type Principal, principalSchema } from '#application';

const header = 'x-throughline-principal';

/** Enough for the headers of the client and for the principal, whose limits were created by a body of at most 1 MiB. */
export const maxHeaderSize = 2 * 1_048_576;

/** The header that passes the principal of a request to a worker; it replaces a header of the client with this name. */
export function principalHeader(principal: Principal): Readonly<Record<string, string>> {
  return { [header]: Buffer.from(JSON.stringify(principal)).toString('base64url') };
}

/**
 * Replaces the authentication hook in workers. Only the process that started a worker can reach its socket, and that process has
 * checked the key.
 */
export async function trustForwarded(request: FastifyRequest): Promise<void> {
  const sent = request.headers[header];
  if (typeof sent !== 'string') throw new Error('a worker only answers forwarded requests');
  const text = Buffer.from(sent, 'base64url').toString();
  request.principal = principalSchema.parse(JSON.parse(text));
}
