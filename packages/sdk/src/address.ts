export type QueryValue = string | number | boolean | null | undefined;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** Builds a path from segments that may hold any character: path`/v1/contexts/${id}/events`. */
export function path(literals: TemplateStringsArray, ...segments: readonly string[]): string {
  return String.raw({ raw: literals }, ...segments.map(encodeURIComponent));
}

/** `base` may have a path. Undefined and null members of the query are omitted. */
export function addressOf(base: URL, below: string, query: Query = {}): string {
  const address = new URL(`${base.href.replace(/\/$/, '')}${below}`);
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) address.searchParams.append(name, String(one));
  return address.href;
}

export function parseBase(url: string | URL): URL {
  const base = tryParse(String(url));
  if (base?.protocol !== 'http:' && base?.protocol !== 'https:')
    throw new TypeError(
      `"${String(url)}" is not the address of a server: use an address such as http://127.0.0.1:3000`,
    );
  base.search = '';
  base.hash = '';
  return base;
}

/** `URL.parse`, which Node 20 does not have. */
function tryParse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
