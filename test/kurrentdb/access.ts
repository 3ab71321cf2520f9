import { type Metadata } from '@grpc/grpc-js';

import { accessDenied, unauthenticated } from './grpc-errors.js';
import { type LogView } from './log-view.js';
import { originalStreamOf } from './log-record.js';

export type UserAccount = Readonly<{ login: string; password: string; groups: readonly string[] }>;

export type Action = 'read' | 'write' | 'delete';

type Acl = Readonly<Record<string, unknown>>;
type Identity = Readonly<{ login?: string; roles: readonly string[] }>;

const everyone = '$all';
const admins = '$admins';

/** The two accounts of a new server. */
const builtIn: readonly UserAccount[] = [
  { login: 'admin', password: 'changeit', groups: [admins] },
  { login: 'ops', password: 'changeit', groups: ['$ops'] },
];

/**
 * Permissions as of 23.10 and later: user streams are open to all authenticated users, system streams and $all to
 * administrators, unless `$acl` in the metadata of the stream or the defaults in `$settings` override this. Without TLS
 * a server starts with `--insecure` only, which disables authentication.
 */
export class Access {
  #accounts: readonly UserAccount[];

  constructor(
    private readonly isInsecure: boolean,
    accounts: readonly UserAccount[],
  ) {
    this.#accounts = [...builtIn, ...accounts];
  }

  changePassword(login: string, password: string): void {
    this.#accounts = this.#accounts.map((account) =>
      account.login === login ? { ...account, password } : account,
    );
  }

  /** Throws UNAUTHENTICATED or PERMISSION_DENIED. */
  check(
    headers: Metadata,
    view: LogView,
    { action, stream }: { action: Action; stream: string },
  ): void {
    if (this.isInsecure) return;
    const { roles } = this.#identify(headers);
    if (roles.includes(admins)) return;
    const original = originalStreamOf(stream);
    const key = original === undefined ? keys[action] : metaKeys[action];
    const members = findMembers(view, original ?? stream, key);
    // An anonymous caller has no role, not even $all: anonymous access to streams is disabled, regardless of ACLs.
    if (!members.some((member) => roles.includes(member))) throw accessDenied();
  }

  #identify(headers: Metadata): Identity {
    const [header] = headers.get('authorization');
    if (header === undefined) return { roles: [] };
    const encoded = /^basic (.*)$/i.exec(header.toString())?.[1] ?? '';
    const [login, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const account = this.#accounts.find(
      (each) => each.login === login && each.password === password.join(':'),
    );
    if (!account) throw unauthenticated();
    return { login: account.login, roles: [everyone, account.login, ...account.groups] };
  }
}

const keys: Readonly<Record<Action, string>> = { read: '$r', write: '$w', delete: '$d' };
const metaKeys: Readonly<Record<Action, string>> = { read: '$mr', write: '$mw', delete: '$mw' };

function findMembers(view: LogView, stream: string, key: string): readonly string[] {
  const isSystem = stream.startsWith('$');
  const defaults = readSettings(view)[isSystem ? '$systemStreamAcl' : '$userStreamAcl'];
  const acls = [view.metadata(stream).acl, toAcl(defaults)];
  const own = acls.map((acl) => acl?.[key]).find((members) => members !== undefined);
  if (own === undefined) return [isSystem ? admins : everyone];
  return (Array.isArray(own) ? own : [own]).map(String);
}

function readSettings(view: LogView): Acl {
  const last = view.record('$settings', view.lastRevision('$settings'));
  if (!last) return {};
  try {
    return toAcl(JSON.parse(new TextDecoder().decode(last.data))) ?? {};
  } catch {
    // Like the server: settings that are not JSON change nothing.
    return {};
  }
}

function toAcl(value: unknown): Acl | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
