import { type ListNamespacesOperation, type MatchCondition } from '@langchain/langgraph-checkpoint';

/** Applies the conditions and `maxDepth`, removes duplicates, and sorts as LangGraph's own stores do. */
export function listNamespaces(
  all: readonly string[][],
  { matchConditions = [], maxDepth, limit, offset = 0 }: Partial<ListNamespacesOperation>,
): string[][] {
  const matching = all.filter((namespace) =>
    matchConditions.every((condition) => matches(condition, namespace)),
  );
  const shortened = matching.map((namespace) => namespace.slice(0, maxDepth));
  // Labels contain no colons: LangGraph and this store refuse them.
  const byText = new Map(shortened.map((labels) => [labels.join(':'), labels]));
  const sorted = [...byText].toSorted(([a], [b]) => a.localeCompare(b));
  return sorted
    .slice(offset, limit === undefined ? undefined : offset + limit)
    .map(([, labels]) => labels);
}

/** `*` in the path of the condition matches any label. */
function matches({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return (
    path.length <= namespace.length &&
    path.every((label, at) => label === '*' || label === namespace[from + at])
  );
}
