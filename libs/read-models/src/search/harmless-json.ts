import { hash } from 'node:crypto';

import { type JsonValue } from '#event-sourcing';

/** Matches a JSON escape (two kinds denote characters that `jsonb` rejects) or the character that replaces them. */
const escapes = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|[^])|\uffff/g;
const replacement = '\uffff';

/** Strings up to this length are stored verbatim. Digests are longer, so that no verbatim string equals one. */
const longestPlain = 40;

/**
 * JSON text that `jsonb` accepts: NUL and lone surrogates are replaced by a character and their code, and long strings
 * by their digests, since texts are found by their words and digests take less space. Different values have different
 * results, so that containment is preserved. The result is used for searching only.
 */
export function harmlessJson(value: JsonValue): string {
  return JSON.stringify(value, shortened).replace(escapes, (match, code?: string) => {
    if (match === replacement) return `${replacement}ffff`;
    return code === undefined ? match : `${replacement}${code}`;
  });
}

/** Hashes the UTF-16 encoding, which distinguishes lone surrogates. */
function shortened(_: string, member: unknown): unknown {
  if (typeof member !== 'string' || member.length <= longestPlain) return member;
  return hash('sha256', Buffer.from(member, 'utf16le'), 'base64url');
}
