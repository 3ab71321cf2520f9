import { type ListNamespacesOperation, type MatchCondition } from '@langchain/langgraph-checkpoint';

/** `*` in `prefix` stands for any label. */
export function beginsWith(prefix: readonly string[]): (namespace: readonly string[]) => boolean {
  return (namespace) => isWithin(prefix, namespace.slice(0, prefix.length));
}

/** Sorted as the stores of LangGraph do, each once, after all conditions and `maxDepth`. */
export function listNamespaces(
  all: readonly string[][],
  { matchConditions = [], maxDepth, limit, offset = 0 }: Partial<ListNamespacesOperation>,
): string[][] {
  const fitting = all.filter((namespace) =>
    matchConditions.every((condition) => fits(condition, namespace)),
  );
  const shortened = fitting.map((namespace) => namespace.slice(0, maxDepth));
  const byText = new Map(shortened.map((namespace) => [namespace.join(':'), namespace]));
  const sorted = [...byText].toSorted(([a], [b]) => a.localeCompare(b));
  const end = limit === undefined ? undefined : offset + limit;
  return sorted.slice(offset, end).map(([, namespace]) => namespace);
}

function fits({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  const part =
    matchType === 'prefix'
      ? namespace.slice(0, path.length)
      : namespace.slice(Math.max(0, namespace.length - path.length));
  return isWithin(path, part);
}

function isWithin(path: readonly string[], labels: readonly string[]): boolean {
  return (
    path.length === labels.length &&
    path.every((label, at) => label === '*' || label === labels[at])
  );
}
