import { readFileSync } from 'node:fs';

/** Options that the client knows, and ours, as it compares them. */
const knownOptions = new Set([
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'throwonappendfailure',
  'tls',
  'tlscafile',
  'tlsverifycert',
  'usercertfile',
  'userkeyfile',
  'passwordfile',
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

/**
 * `esdb://user@host?passwordFile=...` with what the file holds at this moment in the place of its name; any other string as
 * it is. Throws RangeError as {@link toClientString} does.
 */
export function withPassword(connectionString: string): string {
  // Options begin behind the account: a password may hold a question mark.
  const { account, hosts, options } = parts.exec(connectionString.trim())?.groups ?? {};
  const all = optionsOf(options);
  const file = all.find(({ name }) => name === 'passwordfile')?.value;
  if (file === undefined) return connectionString;
  const named = /^(?<user>[^:@/?]+)@(?<nodes>[^@]*)$/.exec(hosts ?? '')?.groups;
  if (!named)
    throw new RangeError('passwordFile goes with a user and without a password: esdb://user@host');
  const password = encodeURIComponent(readPassword(file));
  const others = all.filter(({ name }) => name !== 'passwordfile').map(({ option }) => option);
  const query = others.map((option, n) => `${n === 0 ? '?' : '&'}${option}`).join('');
  return `${account}${named['user']}:${password}@${named['nodes']}${query}`;
}

function readPassword(file: string): string {
  let text: string;
  try {
    // Editors end the last line, too.
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
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
