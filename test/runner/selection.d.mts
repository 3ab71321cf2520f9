/** See selection.mjs. */
export function selectSuites(
  changed: readonly string[],
  sources: ReadonlyMap<string, string>,
): { project: string; suites: string[]; count: number }[];
export const suitesOfFolders: Readonly<Record<string, readonly string[]>>;
