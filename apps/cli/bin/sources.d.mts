/** See sources.mjs: the paths of all sources that a build compiles, from the root, in order. */
export function listSources(root: string): readonly string[];
