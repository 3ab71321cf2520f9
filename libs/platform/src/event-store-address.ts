/** What of a connection string may be told to everybody. */
export type EventStoreAddress = Readonly<{
  /** `host:port`, as written; none where that cannot be told from the credentials for certain. */
  hosts: readonly string[];
  isEncrypted: boolean;
}>;

const hostPattern = /^[\w.-]+(:\d{1,5})?$/;
const loopback = /^(localhost|127(\.\d{1,3}){3})(:\d+)?$/i;

/** Credentials end with the last `@` before the options, so nothing of them is ever taken for a host. */
export function parseEventStoreAddress(connectionString: string): EventStoreAddress {
  const afterScheme = connectionString.replace(/^[^:]*:\/\//, '');
  const withoutCredentials = afterScheme.slice(afterScheme.lastIndexOf('@') + 1);
  const [seeds = '', options = ''] = withoutCredentials.split('?');
  const hosts = seeds
    .split(/[,/]/)
    .map((host) => host.trim())
    .filter((host) => host !== '');
  return {
    hosts: hosts.every((host) => hostPattern.test(host)) ? hosts : [],
    isEncrypted: !/(^|&)tls=false(&|$)/i.test(options),
  };
}

/** Whether what is sent there can be read on a network. */
export function isExposed({ hosts, isEncrypted }: EventStoreAddress): boolean {
  return !isEncrypted && (hosts.length === 0 || !hosts.every((host) => loopback.test(host)));
}

/** For a person: never the user or the password. */
export function describeEventStore({ hosts }: EventStoreAddress): string {
  return hosts.length === 0 ? 'KurrentDB' : `KurrentDB at ${hosts.join(', ')}`;
}
