/** RFC 6901: `~` and `/` within a name are escaped; the whole document is the empty pointer. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

export function namesOfPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
