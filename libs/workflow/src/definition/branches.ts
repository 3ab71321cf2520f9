import { type RouteGraph, strongComponents } from './route-graph.js';

/**
 * The steps at which branches begin: every step without a route to it, and the first step of each loop without a route
 * from outside.
 */
export function branchEntries(graph: RouteGraph): readonly string[] {
  const componentOf = new Map<string, number>();
  for (const [number, ids] of strongComponents(graph).entries())
    for (const id of ids) componentOf.set(id, number);
  const entered = new Set<number | undefined>();
  for (const [id, targets] of graph)
    for (const target of targets)
      if (componentOf.get(target) !== componentOf.get(id)) entered.add(componentOf.get(target));
  return [...graph.keys()].filter((id) => {
    const component = componentOf.get(id);
    const isEntry = !entered.has(component);
    entered.add(component);
    return isEntry;
  });
}
