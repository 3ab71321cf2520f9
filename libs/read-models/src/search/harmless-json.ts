import { type JsonValue } from '#event-sourcing';

/** Either an escape of JSON, of which two kinds name what `jsonb` does not hold, or the sign they are replaced by. */
const escapes = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|[^])|\uffff/g;
const sign = '\uffff';

/**
 * JSON text that `jsonb` takes: NUL and lone surrogates stand as a sign and their number. Values that differ stay
 * different, so what contains what is as it was; nobody is shown the text.
 */
export function harmlessJson(value: JsonValue): string {
  return JSON.stringify(value).replace(escapes, (found, code?: string) => {
    if (found === sign) return `${sign}ffff`;
    return code === undefined ? found : `${sign}${code}`;
  });
}
