/** For each id of a region, the ids in the region that its routes lead to. */
export type RouteGraph = ReadonlyMap<string, readonly string[]>;

/** The ids that routes lead to from the start ids in any number of steps, including the start ids. */
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

/** Groups the ids by mutual reachability (Kosaraju). */
export function strongComponents(graph: RouteGraph): readonly (readonly string[])[] {
  const backwards = reversed(graph);
  const grouped = new Set<string>();
  return finishOrder(graph)
    .toReversed()
    .flatMap((id) => {
      if (grouped.has(id)) return [];
      const group: string[] = [];
      const open = [id];
      for (let each = open.pop(); each !== undefined; each = open.pop()) {
        if (grouped.has(each)) continue;
        grouped.add(each);
        group.push(each);
        open.push(...(backwards.get(each) ?? []));
      }
      return [group];
    });
}

function reversed(graph: RouteGraph): RouteGraph {
  const backwards = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]));
  for (const [id, targets] of graph) for (const target of targets) backwards.get(target)?.push(id);
  return backwards;
}

/** Depth first: each id comes after the ids that it leads to. Iterative, since chains may be long. */
function finishOrder(graph: RouteGraph): readonly string[] {
  const visited = new Set<string>();
  const order: string[] = [];
  const open = [...graph.keys()].map((id) => ({ id, isDone: false }));
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const { id, isDone } = visit;
    if (isDone) order.push(id);
    if (isDone || visited.has(id)) continue;
    visited.add(id);
    open.push({ id, isDone: true });
    for (const target of graph.get(id) ?? []) open.push({ id: target, isDone: false });
  }
  return order;
}
