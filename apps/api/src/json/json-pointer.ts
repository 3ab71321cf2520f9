/** A JSON pointer (RFC 6901): `~` and `/` in a segment are escaped; the empty pointer means the whole document. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapeSegment(String(segment))}`).join('');
}

function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
