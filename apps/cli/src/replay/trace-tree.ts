import { oneLine } from '../printable.js';

/** A node of a trace, as the server returns it. */
export type TraceNode = Readonly<{
  eventId: string;
  relation: string;
  contextId: string;
  version: number;
  type?: string | null | undefined;
  recordedAt?: string | null | undefined;
  agentId?: string | null | undefined;
  causationId: string | null;
  line?: string | null | undefined;
}>;

const widestLine = 160;
/** The maximum indentation, so that deep chains stay readable. */
const deepestIndent = 30;

/** Draws causes above their effects. Events that only share the correlation are not indented. `*` marks the requested event. */
export function drawTrace(nodes: readonly TraceNode[]): readonly string[] {
  const known = new Set(nodes.map(({ eventId }) => eventId));
  const effects = Map.groupBy(nodes, ({ causationId }) => causationId ?? '');
  const roots = nodes.filter(({ causationId }) => causationId === null || !known.has(causationId));
  const drawn = new Set<string>();
  const lines = [...roots, ...nodes].flatMap((root) => drawFrom(root, effects, drawn));
  return lines.map((line) => oneLineKeepingIndent(line));
}

type Drawing = Readonly<{ node: TraceNode; lead: string; branch: string; below: string }>;

/** Not recursive, because a chain may be as long as a trace. */
function drawFrom(
  root: TraceNode,
  effects: ReadonlyMap<string, readonly TraceNode[]>,
  drawn: Set<string>,
): readonly string[] {
  const lines: string[] = [];
  const waiting: Drawing[] = [{ node: root, lead: '', branch: '', below: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, lead, branch, below } = next;
    if (drawn.has(node.eventId)) continue;
    drawn.add(node.eventId);
    lines.push(`${lead}${branch}${labelOf(node)}`);
    const indent = (lead + below).slice(0, deepestIndent);
    const children = (effects.get(node.eventId) ?? []).filter((one) => !drawn.has(one.eventId));
    const drawings = children.map((child, at) => {
      const last = at === children.length - 1;
      return {
        node: child,
        lead: indent,
        branch: last ? '└─ ' : '├─ ',
        below: last ? '   ' : '│  ',
      };
    });
    for (const drawing of drawings.toReversed()) waiting.push(drawing);
  }
  return lines;
}

function labelOf(node: TraceNode): string {
  const mark = node.relation === 'self' ? '* ' : '';
  const summary = node.line ? `: ${node.line}` : '';
  const what = `${node.type ?? '-'} by ${node.agentId ?? '-'}${summary}`;
  return `${mark}${node.contextId}@${node.version} ${what} (${node.eventId})`;
}

function oneLineKeepingIndent(line: string): string {
  const [indent = ''] = /^[ │├└─]*/.exec(line) ?? [];
  return indent + oneLine(line.slice(indent.length), widestLine);
}
