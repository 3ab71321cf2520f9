/** RFC 6901: `~` and `/` inside a segment are escaped; the whole document is the empty pointer. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapeSegment(String(segment))}`).join('');
}

function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
