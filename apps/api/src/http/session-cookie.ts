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
    secure: isSecure(headers),
    path: '/',
    expires: session?.expiresAt ?? new Date(0),
  });
}

/**
 * Cookies do not distinguish ports: two servers on one machine would overwrite each other's session. Browsers accept the prefix `__Host-`
 * only from the host itself, so that no other host of its domain can set its own session.
 */
function cookieName(headers: IncomingHttpHeaders): string {
  const { port } = hostOf(headers);
  const prefix = isSecure(headers) ? '__Host-' : '';
  return `${prefix}throughline-console${port === '' ? '' : `-${port}`}`;
}

/** Browsers send secure cookies over TLS only, which servers of this machine do not have. */
function isSecure(headers: IncomingHttpHeaders): boolean {
  return !isLocal(hostOf(headers).name);
}

function hostOf({ host = '' }: IncomingHttpHeaders): Readonly<{ name: string; port: string }> {
  const [, name = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(host.toLowerCase()) ?? [];
  return { name: name.replace(/^\[(.*)\]$/, '$1'), port };
}
