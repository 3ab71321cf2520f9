import { isIPv6 } from 'node:net';

const localNames: ReadonlySet<string> = new Set(['localhost', '::1']);
const localAddress = /^127(?:\.\d{1,3}){3}$/;

/** Under which names the server is called, and for pages of which origins. Lower case. */
export type BrowserRules = Readonly<{
  /** Undefined: under any. Names of this machine always are. */
  hosts: ReadonlySet<string> | undefined;
  origins: ReadonlySet<string>;
}>;

/** What the configuration says: if only this machine reaches the server, other names are those of pages that were sent here. */
export function browserRulesOf({
  host,
  allowedHosts,
  corsOrigins,
}: Readonly<{
  host: string;
  allowedHosts: readonly string[];
  corsOrigins: readonly string[];
}>): BrowserRules {
  const isChecked = isLocal(host) || allowedHosts.length > 0;
  const hosts = isChecked ? new Set(allowedHosts.map(withoutBrackets)) : undefined;
  return { hosts, origins: new Set(corsOrigins) };
}

/** The addresses of a connection, as sockets have them. */
export type Ends = Readonly<{
  localAddress?: string | undefined;
  remoteAddress?: string | undefined;
}>;

/** `header`: the value of `Host`, with or without a port. */
export function allowsHost({ hosts }: BrowserRules, header: string): boolean {
  if (!hosts) return true;
  const name = nameIn(header);
  // No browser sends an empty one.
  return name === '' || isLocal(name) || hosts.has(name);
}

/**
 * Whether this machine calls itself by the address that the connection leads to, as the server does for `/mcp`. A page under a name
 * that leads here (DNS rebinding) sends that name, and never an address.
 */
export function isCallToItself(header: string, { localAddress, remoteAddress }: Ends): boolean {
  if (localAddress === undefined || localAddress !== remoteAddress) return false;
  return nameIn(header) === asInUrl(localAddress);
}

/** Of the ways to write an IPv6 address, the one that URLs and so clients have. */
function asInUrl(address: string): string | undefined {
  if (!isIPv6(address)) return address;
  return withoutBrackets(URL.parse(`http://[${address}]`)?.hostname ?? '');
}

function nameIn(header: string): string {
  return withoutBrackets(header.toLowerCase().replace(/:\d*$/, ''));
}

/** Whether a name or an address is of this machine alone. */
export function isLocal(name: string): boolean {
  return localNames.has(name) || localAddress.test(name);
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
