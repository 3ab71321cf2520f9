/** For each id of a region, the ids in the region that its routes lead to. */
export type RouteGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Where branches begin: at every step that no other one leads to, and at the first step of a loop that nothing outside leads
 * into.
 */
export function branchEntries(graph: RouteGraph): readonly string[] {
  const reached = new Map([...graph.keys()].map((id) => [id, reachableFrom(graph, [id])]));
  const entries: string[] = [];
  for (const [id, own] of reached) {
    const before = [...reached].filter(([, others]) => others.has(id)).map(([other]) => other);
    const isRoot = before.every((other) => own.has(other));
    if (isRoot && !entries.some((entry) => own.has(entry))) entries.push(id);
  }
  return entries;
}

/** The ids that routes lead to from these, over any number of steps, and these themselves. */
export function reachableFrom(graph: RouteGraph, starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...starts];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...(graph.get(id) ?? []));
  }
  return reached;
}
