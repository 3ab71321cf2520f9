/** Returns the sorted paths, relative to `root`, of all sources that a build compiles. */
export function listSources(root: string): readonly string[];
