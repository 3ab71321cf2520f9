import { type TcpProxy, openTcpProxy } from './tcp-proxy.js';

/** Whether a proxy can be put in front of the server: it has one node and no certificate for another host. */
export function canBeCutOff(connectionString: string): boolean {
  return /^esdb:\/\/[^,]*\?(.*&)?tls=false/i.test(connectionString);
}

/**
 * A proxy in front of the only node of a KurrentDB without TLS, and the address of the proxy; undefined for any other
 * server.
 */
export async function openKurrentDbProxy(
  connectionString: string,
): Promise<Readonly<{ proxy: TcpProxy; connectionString: string }> | undefined> {
  if (!canBeCutOff(connectionString)) return undefined;
  const url = new URL(connectionString);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port || 2113) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, connectionString: url.href };
}
