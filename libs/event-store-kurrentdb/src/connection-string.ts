/** Options that the client knows, as it compares them. */
const knownOptions = new Set([
  ...[
    'connectionname',
    'defaultdeadline',
    'discoveryinterval',
    'gossiptimeout',
    'keepaliveinterval',
  ],
  ...['keepalivetimeout', 'maxdiscoverattempts', 'nodepreference', 'throwonappendfailure', 'tls'],
  ...['tlscafile', 'tlsverifycert', 'usercertfile', 'userkeyfile'],
]);

const defaultPort = 2113;

const parts = /^(?<account>[^:]+:\/\/(?:[^:]+:[^@]+@)?)(?<hosts>[^?]*)(?:\?(?<options>.*))?$/s;

/**
 * The connection string as it is given to the client, which would print it, password included, beside options that it
 * does not know or ignores. A call that fails is tried again here, so the client looks for a leader once instead of ten
 * times, and asks each node for a second unless the string says otherwise: its own five seconds are all the time that a
 * call has.
 *
 * `failed` is the endpoint, `host:port`, over which nothing was heard. The client asks the nodes in random order, so it is
 * left out while two others can be asked: with one alone the client would not look for a leader.
 *
 * Throws RangeError, without quoting any of it but the name of an option.
 */
export function toClientString(connectionString: string, failed?: string): string {
  const { account, hosts, options } = parts.exec(connectionString.trim())?.groups ?? {};
  // What it cannot read it refuses itself.
  if (account === undefined || hosts === undefined) return connectionString;
  refuseUnencoded(account, hosts);
  const kept = optionsOf(options);
  const limits = [
    ...(kept.some(({ name }) => name === 'gossiptimeout') ? [] : ['gossipTimeout=1']),
    'maxDiscoverAttempts=1',
  ];
  const hosted = account + withoutFailed(hosts.replace(/\/+$/, ''), failed);
  return `${hosted}?${[...kept.map(({ option }) => option), ...limits].join('&')}`;
}

type ClientOption = Readonly<{ name: string; option: string }>;

function optionsOf(options: string | undefined): readonly ClientOption[] {
  const parsed = (options?.split('&') ?? []).map((option) => {
    const [, key] = /^([^=]+)=[^?]+$/.exec(option) ?? [];
    if (key === undefined) throw new RangeError('options are written ?key=value&key=value');
    const name = key.trim().toLowerCase().replace(/[_-]/g, '');
    if (!knownOptions.has(name)) throw new RangeError(`it has no option "${key}"`);
    return { name, option };
  });
  return parsed.filter(({ name }) => name !== 'tlsverifycert');
}

function withoutFailed(hosts: string, failed: string | undefined): string {
  const others = hosts.split(',').filter((host) => withPort(host) !== failed);
  return others.length < 2 ? hosts : others.join(',');
}

function withPort(host: string): string {
  const named = host.trim().toLowerCase();
  return named.includes(':') ? named : `${named}:${defaultPort}`;
}

function refuseUnencoded(account: string, hosts: string): void {
  if (hosts.includes('@'))
    throw new RangeError('an @ in the user or the password must be written as %40');
  // The client would cut the password off there.
  if (/:\/\/[^:]+:[^@]*:/.test(account))
    throw new RangeError('a : in the user or the password must be written as %3A');
}
