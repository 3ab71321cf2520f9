import { type ListNamespacesOperation, type MatchCondition } from '@langchain/langgraph-checkpoint';

/** In the order of LangGraph's own stores, each once, after all conditions and `maxDepth`. */
export function listNamespaces(
  all: readonly string[][],
  { matchConditions = [], maxDepth, limit, offset = 0 }: Partial<ListNamespacesOperation>,
): string[][] {
  const fitting = all.filter((namespace) =>
    matchConditions.every((condition) => fits(condition, namespace)),
  );
  const shortened = fitting.map((namespace) => namespace.slice(0, maxDepth));
  // Labels hold no colons: LangGraph and this store refuse them.
  const byText = new Map(shortened.map((labels) => [labels.join(':'), labels]));
  const sorted = [...byText].toSorted(([a], [b]) => a.localeCompare(b));
  return sorted
    .slice(offset, limit === undefined ? undefined : offset + limit)
    .map(([, labels]) => labels);
}

/** `*` in the path of the condition stands for any label. */
function fits({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return (
    path.length <= namespace.length &&
    path.every((label, at) => label === '*' || label === namespace[from + at])
  );
}
