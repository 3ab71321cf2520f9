/** The version of an item for readers: inherited items, whose versions are below 1, appear with version 1. */
export function shownVersion(version: number): number {
  return Math.max(version, 1);
}
