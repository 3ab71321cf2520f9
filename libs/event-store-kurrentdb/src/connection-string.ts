import { readFileSync } from 'node:fs';

/** Options that the client knows, and ours, as it compares them. */
const knownOptions = new Set([
  ...[
    'connectionname',
    'defaultdeadline',
    'discoveryinterval',
    'gossiptimeout',
    'keepaliveinterval',
  ],
  ...['keepalivetimeout', 'maxdiscoverattempts', 'nodepreference', 'throwonappendfailure', 'tls'],
  ...['tlscafile', 'tlsverifycert', 'usercertfile', 'userkeyfile', 'passwordfile'],
]);

/** Options that are not for the client: one has no effect, the other is ours. */
const keptBack = new Set(['tlsverifycert', 'passwordfile']);

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
  const { account, hosts, options } =
    parts.exec(withPassword(connectionString.trim()))?.groups ?? {};
  // What it cannot read it refuses itself.
  if (account === undefined || hosts === undefined) return connectionString;
  refuseUnencoded(account, hosts);
  const kept = optionsOf(options).filter(({ name }) => !keptBack.has(name));
  const limits = [
    ...(kept.some(({ name }) => name === 'gossiptimeout') ? [] : ['gossipTimeout=1']),
    'maxDiscoverAttempts=1',
  ];
  const hosted = account + withoutFailed(hosts.replace(/\/+$/, ''), failed);
  return `${hosted}?${[...kept.map(({ option }) => option), ...limits].join('&')}`;
}

/** The nodes, or the name of a cluster, that the string names: `host:port`. */
export function seedsOf(connectionString: string): readonly string[] {
  const { hosts = '' } = parts.exec(connectionString.trim())?.groups ?? {};
  // A user without a password stands before the hosts still.
  const named = hosts.replace(/^[^@]*@/, '').replace(/\/+$/, '');
  return named.split(',').map(withPort);
}

/** `esdb://user@host?passwordFile=...` with what the file holds at this moment. */
function withPassword(connectionString: string): string {
  const [, scheme, user, rest] = /^([^:]+:\/\/)([^:@/?]+)@([^@]*)$/s.exec(connectionString) ?? [];
  const file = passwordFileIn(connectionString);
  if (file === undefined) return connectionString;
  if (scheme === undefined || user === undefined || rest === undefined)
    throw new RangeError('passwordFile goes with a user and without a password: esdb://user@host');
  return `${scheme}${user}:${encodeURIComponent(readPassword(file))}@${rest}`;
}

/** Options begin behind the account: a password may hold a question mark. */
function passwordFileIn(connectionString: string): string | undefined {
  const { options } = parts.exec(connectionString)?.groups ?? {};
  return optionsOf(options).find(({ name }) => name === 'passwordfile')?.value;
}

function readPassword(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error instanceof Error && 'code' in error ? error : { code: 'unknown' };
    throw new RangeError(`passwordFile cannot be read (${String(code)})`);
  }
  if (text === '') throw new RangeError('passwordFile holds no password');
  return text;
}

type ClientOption = Readonly<{ name: string; value: string; option: string }>;

function optionsOf(options: string | undefined): readonly ClientOption[] {
  return (options?.split('&') ?? []).map((option) => {
    const [, key, value] = /^([^=]+)=([^?]+)$/.exec(option) ?? [];
    if (key === undefined || value === undefined)
      throw new RangeError('options are written ?key=value&key=value');
    const name = key.trim().toLowerCase().replace(/[_-]/g, '');
    if (!knownOptions.has(name))
      throw new RangeError(
        /^[\w-]+$/.test(key) ? `it has no option "${key}"` : 'it has an option that is not known',
      );
    return { name, value, option };
  });
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
