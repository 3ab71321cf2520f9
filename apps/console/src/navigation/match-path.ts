/** The decoded parameters of a path that matches a pattern such as `/contexts/:contextId`; undefined if it does not match. */
export function matchPath(
  pattern: string,
  path: string,
): Readonly<Record<string, string>> | undefined {
  const names = pattern.split('/');
  const values = path.split('/');
  if (names.length !== values.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const value = values[at] ?? '';
    if (!name.startsWith(':')) {
      if (name !== value) return undefined;
      continue;
    }
    const decoded = decodeSegment(value);
    if (decoded === undefined || decoded === '') return undefined;
    found[name.slice(1)] = decoded;
  }
  return found;
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
