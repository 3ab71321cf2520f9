import { isRecord } from './subschemas.js';

/** The schema to which a `$ref` refers, by own members only; undefined if there is none. */
export function referredBy(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  const [, keyword = '', name = ''] = reference.split('/');
  const named = memberOf(root, keyword);
  return memberOf(named, decoded(name));
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Decodes a name from a JSON pointer in a URI fragment. */
function decoded(name: string): string {
  let plain = name;
  try {
    plain = decodeURIComponent(name);
  } catch {
    // The name is not percent-encoded.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}
