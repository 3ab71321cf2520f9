import { hash } from 'node:crypto';

import { type JsonValue } from '#event-sourcing';

/** Either an escape of JSON, of which two kinds name what `jsonb` does not hold, or the sign they are replaced by. */
const escapes = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|[^])|\uffff/g;
const sign = '\uffff';

/** A digest is longer than this: no string that stands as it is looks like one. */
const longestPlain = 40;

/**
 * JSON text that `jsonb` takes: NUL and lone surrogates stand as a sign and their number, and long strings as their
 * digests, since texts are found by their words and take a fraction of the room this way. Values that differ stay
 * different, so what contains what is as it was; nobody is shown the text.
 */
export function harmlessJson(value: JsonValue): string {
  return JSON.stringify(value, shortened).replace(escapes, (found, code?: string) => {
    if (found === sign) return `${sign}ffff`;
    return code === undefined ? found : `${sign}${code}`;
  });
}

/** By its UTF-16, which tells lone surrogates apart. */
function shortened(_: string, member: unknown): unknown {
  if (typeof member !== 'string' || member.length <= longestPlain) return member;
  return hash('sha256', Buffer.from(member, 'utf16le'), 'base64url');
}
