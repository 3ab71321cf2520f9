/** The version shown of an item: inherited ones came with version 1. */
export function shownVersion(version: number): number {
  return Math.max(version, 1);
}
