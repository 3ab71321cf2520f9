import { readFileSync } from 'node:fs';

/** Normalized names of the options that the client knows, and of `passwordFile`. */
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

/** Options that are not passed to the client: one has no effect, the other is handled here. */
const withheld = new Set(['tlsverifycert', 'passwordfile']);

const defaultPort = 2113;

const parts = /^(?<account>[^:]+:\/\/(?:[^:]+:[^@]+@)?)(?<hosts>[^?]*)(?:\?(?<options>.*))?$/s;

/**
 * The connection string for the client. The client would print it, including the password, for options that it does not
 * know or ignores. Since failed calls are retried here, the client looks for a leader once instead of ten times, and
 * waits one second per node unless the string sets another time: its default of five seconds is the whole time of a
 * call.
 *
 * `failed` is the endpoint, `host:port`, without data. The client queries the nodes in random order, so that this one
 * is omitted if at least two others remain: with a single node, the client would not look for a leader.
 *
 * Throws RangeError, which quotes no part of the string except the name of an option.
 */
export function toClientString(connectionString: string, failed?: string): string {
  const { account, hosts, options } =
    parts.exec(withPassword(connectionString.trim()))?.groups ?? {};
  // The client itself rejects a string that it cannot read.
  if (account === undefined || hosts === undefined) return connectionString;
  refuseUnencoded(account, hosts);
  const passed = optionsOf(options).filter(({ name }) => !withheld.has(name));
  const limits = [
    ...(passed.some(({ name }) => name === 'gossiptimeout') ? [] : ['gossipTimeout=1']),
    'maxDiscoverAttempts=1',
  ];
  const hosted = account + withoutFailed(hosts.replace(/\/+$/, ''), failed);
  return `${hosted}?${[...passed.map(({ option }) => option), ...limits].join('&')}`;
}

/** The nodes in the string, or the name of a cluster: `host:port`. */
export function seedsOf(connectionString: string): readonly string[] {
  const { hosts = '' } = parts.exec(connectionString.trim())?.groups ?? {};
  // A user without a password still precedes the hosts.
  const named = hosts.replace(/^[^@]*@/, '').replace(/\/+$/, '');
  return named.split(',').map(withPort);
}

/**
 * Replaces the file in `esdb://user@host?passwordFile=...` by its current content; returns any other string unchanged.
 * Throws RangeError like {@link toClientString}.
 */
export function withPassword(connectionString: string): string {
  // Options begin after the account: a password may contain a question mark.
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
    // Editors terminate the last line.
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
  // The client would truncate the password there.
  if (/:\/\/[^:]+:[^@]*:/.test(account))
    throw new RangeError('a : in the user or the password must be written as %3A');
}
