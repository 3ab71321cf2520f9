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

const parts = /^(?<account>[^:]+:\/\/(?:[^:]+:[^@]+@)?)(?<hosts>[^?]*)(?:\?(?<options>.*))?$/s;

/**
 * The connection string as it is given to the client, which would print it, password included, beside options that it
 * does not know or ignores, and would look for a leader ten times before a call fails; here each call that fails is
 * tried again.
 *
 * Throws RangeError, without quoting any of it but the name of an option.
 */
export function toClientString(connectionString: string): string {
  const { account, hosts, options } = parts.exec(connectionString.trim())?.groups ?? {};
  // What it cannot read it refuses itself.
  if (account === undefined || hosts === undefined) return connectionString;
  refuseUnencoded(account, hosts);
  const kept = (options?.split('&') ?? []).filter((option) => {
    const [, key] = /^([^=]+)=[^?]+$/.exec(option) ?? [];
    if (key === undefined) throw new RangeError('options are written ?key=value&key=value');
    const name = key.trim().toLowerCase().replace(/[_-]/g, '');
    if (!knownOptions.has(name)) throw new RangeError(`it has no option "${key}"`);
    return name !== 'tlsverifycert';
  });
  const hosted = account + hosts.replace(/\/+$/, '');
  return `${hosted}?${[...kept, 'maxDiscoverAttempts=1'].join('&')}`;
}

function refuseUnencoded(account: string, hosts: string): void {
  if (hosts.includes('@'))
    throw new RangeError('an @ in the user or the password must be written as %40');
  // The client would cut the password off there.
  if (/:\/\/[^:]+:[^@]*:/.test(account))
    throw new RangeError('a : in the user or the password must be written as %3A');
}
