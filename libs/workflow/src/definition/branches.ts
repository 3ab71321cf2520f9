import { type RouteGraph, strongComponents } from './route-graph.js';

/**
 * Where branches begin: at every step that no other one leads to, and at the first step of a loop that nothing outside leads
 * into.
 */
export function branchEntries(graph: RouteGraph): readonly string[] {
  const componentOf = new Map<string, number>();
  for (const [number, ids] of strongComponents(graph).entries())
    for (const id of ids) componentOf.set(id, number);
  const taken = new Set<number | undefined>();
  for (const [id, targets] of graph)
    for (const target of targets)
      if (componentOf.get(target) !== componentOf.get(id)) taken.add(componentOf.get(target));
  return [...graph.keys()].filter((id) => {
    const component = componentOf.get(id);
    const isEntry = !taken.has(component);
    taken.add(component);
    return isEntry;
  });
}
