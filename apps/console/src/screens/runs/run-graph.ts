import { type Definition, type Exit, type Step, exitsOf, targetOf } from './definition.js';

/** `step`: undefined for the start, the end and the ends of parallel steps. */
export type GraphNode = Readonly<{ id: string; label: string; step?: Step }>;

/** `isDashed`: taken only after a failure, a skip or a limit. */
export type GraphEdge = Readonly<{ from: string; to: string; label: string; isDashed: boolean }>;

export type RunGraph = Readonly<{ nodes: readonly GraphNode[]; edges: readonly GraphEdge[] }>;

const start: GraphNode = { id: 'start', label: 'start' };
const end: GraphNode = { id: 'end', label: 'end' };

/** The steps of a definition and the routes between them. A parallel step has a second node, at which its branches end. */
export function graphOf({ steps, parallel = false }: Definition): RunGraph {
  const region = regionOf(steps, { from: start.id, to: end.id, hasBranches: parallel });
  return { nodes: [start, ...region.nodes, end], edges: merged(region.edges) };
}

function nodeOfStep(stepId: string): string {
  return `step ${stepId}`;
}

type Bounds = Readonly<{ from: string; to: string; hasBranches: boolean }>;

function regionOf(steps: readonly Step[], { from, to, hasBranches }: Bounds): RunGraph {
  const entries = hasBranches ? branchEntries(steps) : steps.slice(0, 1);
  const graphs = steps.map((step) => graphOfStep(step, to));
  const entering = entries.map(({ id }) => plain(from, nodeOfStep(id)));
  return {
    nodes: graphs.flatMap(({ nodes }) => nodes),
    edges: [...entering, ...graphs.flatMap(({ edges }) => edges)],
  };
}

function graphOfStep(step: Step, regionEnd: string): RunGraph {
  const node: GraphNode = { id: nodeOfStep(step.id), label: step.name ?? step.id, step };
  if (step.type !== 'parallel')
    return { nodes: [node], edges: routesFrom(node.id, step, regionEnd) };
  const join: GraphNode = { id: `join ${step.id}`, label: `end of ${step.name ?? step.id}` };
  const inner = regionOf(step.steps ?? [], { from: node.id, to: join.id, hasBranches: true });
  return {
    nodes: [node, ...inner.nodes, join],
    edges: [...inner.edges, ...routesFrom(join.id, step, regionEnd)],
  };
}

/** Steps without a route to them begin branches, and so does the first step if there is none. */
function branchEntries(steps: readonly Step[]): readonly Step[] {
  const targets = new Set(
    steps.flatMap((step) =>
      exitsOf(step).flatMap(({ route }) => (route === undefined ? [] : [targetOf(route)])),
    ),
  );
  const entries = steps.filter(({ id }) => !targets.has(id));
  return entries.length > 0 ? entries : steps.slice(0, 1);
}

function routesFrom(from: string, step: Step, regionEnd: string): readonly GraphEdge[] {
  return exitsOf(step).flatMap((exit) => {
    const to = destinationOf(exit, regionEnd);
    if (to === undefined) return [];
    return [{ from, to, label: labelOf(exit), isDashed: !exit.isRegular }];
  });
}

function destinationOf({ route, isRegular }: Exit, regionEnd: string): string | undefined {
  if (route !== undefined) return nodeOfStep(targetOf(route));
  return isRegular ? regionEnd : undefined;
}

function labelOf({ label, route }: Exit): string {
  const limit = typeof route === 'object' ? route.max_visits : undefined;
  return [label, limit === undefined ? '' : `at most ${limit}`]
    .filter((part) => part !== '')
    .join(', ');
}

function plain(from: string, to: string): GraphEdge {
  return { from, to, label: '', isDashed: false };
}

/** One edge for all routes between two nodes. */
function merged(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const groups = Map.groupBy(edges, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const labels = new Set(group.map(({ label }) => label).filter((label) => label !== ''));
    return [
      {
        ...first,
        label: [...labels].join(' / '),
        isDashed: group.every(({ isDashed }) => isDashed),
      },
    ];
  });
}
