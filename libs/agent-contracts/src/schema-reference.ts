import { isRecord } from './subschemas.js';

/** The schema that a `$ref` refers to; undefined if there is none. Own members only. */
export function referredBy(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  const [, keyword = '', name = ''] = reference.split('/');
  const named = memberOf(root, keyword);
  return memberOf(named, decoded(name));
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A name as it stands in a pointer of a URI fragment. */
function decoded(name: string): string {
  let plain = name;
  try {
    plain = decodeURIComponent(name);
  } catch {
    // The name is not percent-encoded.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}
