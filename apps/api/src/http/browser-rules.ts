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

/** `header`: the value of `Host`, with or without a port. */
export function allowsHost({ hosts }: BrowserRules, header: string): boolean {
  if (!hosts) return true;
  const name = withoutBrackets(header.toLowerCase().replace(/:\d*$/, ''));
  // No browser sends an empty one.
  return name === '' || isLocal(name) || hosts.has(name);
}

/** Whether a name or an address is of this machine alone. */
export function isLocal(name: string): boolean {
  return localNames.has(name) || localAddress.test(name);
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
