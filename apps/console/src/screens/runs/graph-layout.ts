import * as dagre from '@dagrejs/dagre';

import { type GraphEdge, type GraphNode, type RunGraph } from './run-graph.js';

type Point = Readonly<{ x: number; y: number }>;
type Size = Readonly<{ width: number; height: number }>;

/** `x` and `y`: the center. */
export type PlacedNode = GraphNode & Point & Size;
export type PlacedEdge = GraphEdge & Readonly<{ path: string; labelAt: Point }>;
type PlacedGraph = Size & Readonly<{ nodes: readonly PlacedNode[]; edges: readonly PlacedEdge[] }>;

/** The part of a graph of dagre that is used. */
type DagreGraph = Readonly<{
  setGraph: (label: Readonly<Record<string, unknown>>) => void;
  setNode: (id: string, label: Size) => void;
  setEdge: (from: string, to: string, label: Size & Readonly<{ labelpos: 'c' }>) => void;
  graph: () => Size;
  node: (id: string) => Point & Size;
  edge: (from: string, to: string) => Point & Readonly<{ points: readonly Point[] }>;
}>;

/** Cast because the declarations of dagre import files without extensions, which TypeScript does not resolve. */
const { Graph, layout } = dagre as unknown as Readonly<{
  Graph: new () => DagreGraph;
  layout: (graph: DagreGraph) => void;
}>;

const stepSize: Size = { width: 200, height: 74 };
const pointSize: Size = { width: 120, height: 28 };
const margin = 12;
/** Pixels of a character of a label, at most. */
const characterWidth = 7;
const labelHeight = 18;

/** Places the nodes of a graph in ranks, from top to bottom. */
export function layOut({ nodes, edges }: RunGraph): PlacedGraph {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 34, marginx: margin, marginy: margin });
  for (const { id, step } of nodes) graph.setNode(id, { ...(step ? stepSize : pointSize) });
  for (const { from, to, label } of edges)
    graph.setEdge(from, to, {
      width: label.length * characterWidth,
      height: label === '' ? 0 : labelHeight,
      labelpos: 'c',
    });
  layout(graph);
  const { width, height } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => ({ ...node, ...graph.node(node.id) })),
    edges: edges.map((edge) => {
      const { points, x, y } = graph.edge(edge.from, edge.to);
      return { ...edge, path: pathOf(points), labelAt: { x, y } };
    }),
  };
}

/** A smooth line: the points between the first and the last one attract it. */
function pathOf([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  const curves = rest.slice(0, -1).map((point, at) => {
    const next = rest[at + 1] ?? point;
    const isLast = at === rest.length - 2;
    const to = isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q ${textOf(point)} ${textOf(to)}`;
  });
  return [`M ${textOf(first)}`, ...curves].join(' ');
}

function textOf({ x, y }: Point): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}
