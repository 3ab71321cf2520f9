/** An event of a trace, as `GET /v1/events/{eventId}/trace` returns it. */
export type TraceNode = Readonly<{
  eventId: string;
  relation: 'self' | 'ancestor' | 'descendant' | 'correlated';
  contextId: string;
  version: number;
  type: string;
  recordedAt: string | null;
  agentId: string | null;
  causationId: string | null;
  line: string | null;
}>;

/** A node with the number of its causes in the trace, and its direct cause. */
export type TraceRow = Readonly<{ node: TraceNode; depth: number; cause: TraceNode | undefined }>;

/**
 * The nodes as a tree: each after its cause, first the tree of the requested event. A circle of causes is cut at its oldest event.
 * `nodes` are in the order of recording.
 */
export function treeOf(nodes: readonly TraceNode[]): readonly TraceRow[] {
  const byId = new Map(nodes.map((node) => [node.eventId, node]));
  const isRoot = ({ causationId }: TraceNode) => causationId === null || !byId.has(causationId);
  const effects = Map.groupBy(
    nodes.filter((node) => !isRoot(node)),
    ({ causationId }) => causationId,
  );
  const visited = new Set<string>();
  // Nodes of a circle have no root; the walk reaches them as separate roots.
  const trees = [...nodes.filter(isRoot), ...nodes].map((root) => walk(root, effects, visited));
  return trees
    .toSorted((left, right) => Number(hasSelf(right)) - Number(hasSelf(left)))
    .flat()
    .map(({ node, depth }) => ({ node, depth, cause: byId.get(node.causationId ?? '') }));
}

type TreeNode = Readonly<{ node: TraceNode; depth: number }>;

/** A loop, not recursion: a chain of causes may have a thousand events. */
function walk(
  root: TraceNode,
  effects: ReadonlyMap<string | null, readonly TraceNode[]>,
  visited: Set<string>,
): readonly TreeNode[] {
  const rows: TreeNode[] = [];
  const open: TreeNode[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (visited.has(node.eventId)) continue;
    visited.add(node.eventId);
    rows.push(next);
    const following = effects.get(node.eventId) ?? [];
    open.push(...following.toReversed().map((effect) => ({ node: effect, depth: depth + 1 })));
  }
  return rows;
}

function hasSelf(tree: readonly TreeNode[]): boolean {
  return tree.some(({ node }) => node.relation === 'self');
}
