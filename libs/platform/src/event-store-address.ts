/** What of a connection string may be told to everybody. */
type EventStoreAddress = Readonly<{
  /** `host:port`, as written; none where that cannot be told from the credentials for certain. */
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

/** The `host:port` of a PostgreSQL URL; none where it is a socket or cannot be told for certain. */
export function databaseHosts(databaseUrl: string): readonly string[] {
  const [hosts = ''] = withoutCredentials(databaseUrl).split(/[/?]/);
  return hostsIn(hosts.split(','));
}

/** Whether what is sent there can be read on a network. */
export function isExposed({ hosts, isEncrypted }: EventStoreAddress): boolean {
  return !isEncrypted && (hosts.length === 0 || !hosts.every((host) => loopback.test(host)));
}

/** For a person: never the user or the password. */
export function describeEventStore({ hosts }: EventStoreAddress): string {
  return hosts.length === 0 ? 'KurrentDB' : `KurrentDB at ${hosts.join(', ')}`;
}

/** They end with the last `@` there is, so nothing of them is ever taken for a host. */
function withoutCredentials(url: string): string {
  const afterScheme = url.replace(/^[^:]*:\/\//, '');
  return afterScheme.slice(afterScheme.lastIndexOf('@') + 1);
}

function hostsIn(parts: readonly string[]): readonly string[] {
  const hosts = parts.map((part) => part.trim()).filter((part) => part !== '');
  return hosts.every((host) => hostPattern.test(host)) ? hosts : [];
}
