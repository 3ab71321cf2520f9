import { type Server } from 'node:http';

const anyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** The URL of the server of this process. Throws if it does not listen on a port. */
export function ownAddress(server: Server): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string')
    throw new Error('the server does not listen on a port');
  const { address, family, port } = bound;
  const host = anyAddress[address] ?? (family === 'IPv6' ? `[${address}]` : address);
  return `http://${host}:${port}`;
}
