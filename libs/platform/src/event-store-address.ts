/** The public parts of a connection string. */
type EventStoreAddress = Readonly<{
  /** `host:port`, as written; empty if hosts cannot be distinguished reliably from the credentials. */
  hosts: readonly string[];
  isEncrypted: boolean;
}>;

const hostPattern = /^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i;
const loopback = /^(localhost|127(\.\d{1,3}){3})(:\d+)?$/i;

export function parseEventStoreAddress(connectionString: string): EventStoreAddress {
  const [seeds = '', options = ''] = withoutCredentials(connectionString).split('?');
  return {
    hosts: hostsIn(seeds.split(/[,/]/)),
    isEncrypted: !/(^|&)tls=false(&|$)/i.test(options),
  };
}

/** The `host:port` parts of a PostgreSQL URL; empty for a socket, or if they cannot be parsed reliably. */
export function databaseHosts(databaseUrl: string): readonly string[] {
  const [hosts = ''] = withoutCredentials(databaseUrl).split(/[/?]/);
  return hostsIn(hosts.split(','));
}

/** Whether the connection sends data unencrypted over a network. */
export function isExposed({ hosts, isEncrypted }: EventStoreAddress): boolean {
  return !isEncrypted && (hosts.length === 0 || !hosts.every((host) => loopback.test(host)));
}

/** Describes the event store for people, without user and password. */
export function describeEventStore({ hosts }: EventStoreAddress): string {
  return hosts.length === 0 ? 'KurrentDB' : `KurrentDB at ${hosts.join(', ')}`;
}

/** Removes everything up to the last `@`, so that no part of the credentials can be mistaken for a host. */
function withoutCredentials(url: string): string {
  const afterScheme = url.replace(/^[^:]*:\/\//, '');
  return afterScheme.slice(afterScheme.lastIndexOf('@') + 1);
}

function hostsIn(parts: readonly string[]): readonly string[] {
  const hosts = parts.map((part) => part.trim()).filter((part) => part !== '');
  return hosts.every((host) => hostPattern.test(host)) ? hosts : [];
}
