import { type IncomingHttpHeaders } from 'node:http';

import { parseCookie, stringifySetCookie } from 'cookie';

import { isLocal } from './browser.hook.js';

/** The session token of a request; undefined without the cookie. */
export function readSessionToken(headers: IncomingHttpHeaders): string | undefined {
  return parseCookie(headers.cookie ?? '')[cookieName(headers)];
}

/** Sets the session cookie; without a session, deletes it. */
export function sessionCookie(
  headers: IncomingHttpHeaders,
  session: Readonly<{ token: string; expiresAt: Date }> | undefined,
): string {
  return stringifySetCookie({
    name: cookieName(headers),
    value: session?.token ?? '',
    httpOnly: true,
    sameSite: 'strict',
    secure: !isLocal(hostOf(headers).name),
    path: '/',
    expires: session?.expiresAt ?? new Date(0),
  });
}

/** Cookies do not distinguish ports: two servers on one machine would overwrite each other's session. */
function cookieName(headers: IncomingHttpHeaders): string {
  const { port } = hostOf(headers);
  return port === '' ? 'throughline-console' : `throughline-console-${port}`;
}

function hostOf({ host = '' }: IncomingHttpHeaders): Readonly<{ name: string; port: string }> {
  const [, name = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(host.toLowerCase()) ?? [];
  return { name: name.replace(/^\[(.*)\]$/, '$1'), port };
}
