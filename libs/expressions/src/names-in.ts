import { type Syntax } from './syntax.js';

/** The names that an expression looks up in its scope, without names of its lines and of elements. */
export function namesIn(tree: Syntax): ReadonlySet<string> {
  const found = new Set<string>();
  collect(tree, new Set(['item']), found);
  return found;
}

/** The names of the lines of an expression, in order. */
export function lineNamesIn(tree: Syntax): readonly string[] {
  if (tree.kind !== 'lines') return [];
  return tree.lines.flatMap(({ name }) => (name === undefined ? [] : [name]));
}

type Names = ReadonlySet<string>;

function collect(node: Syntax, own: Names, found: Set<string>): void {
  if (node.kind === 'name' && !own.has(node.name)) found.add(node.name);
  const inner = new Set([...own, ...lineNamesIn(node)]);
  for (const part of partsOf(node)) collect(part, inner, found);
  if (node.kind !== 'call') return;
  const [over, ...rest] = node.arguments;
  const within = node.parameter === undefined ? own : new Set([...own, node.parameter]);
  if (over) collect(over, own, found);
  for (const part of rest) collect(part, within, found);
}

type Parts = {
  readonly [Kind in Syntax['kind']]: (node: Extract<Syntax, { kind: Kind }>) => readonly Syntax[];
};

/** The child nodes that are evaluated in the scope of the node or of its lines. */
const parts: Parts = {
  literal: () => [],
  undefined: () => [],
  name: () => [],
  member: ({ object }) => [object],
  index: ({ object, index }) => [object, index],
  unary: ({ operand }) => [operand],
  binary: ({ left, right }) => [left, right],
  logical: ({ left, right }) => [left, right],
  conditional: ({ test, consequent, alternate }) => [test, consequent, alternate],
  array: ({ elements }) => elements,
  object: ({ members }) => members.map(([, value]) => value),
  call: () => [],
  lines: ({ lines }) => lines.map(({ value }) => value),
};

/** The child nodes, except the arguments of a call, which may define additional names. */
export function partsOf(node: Syntax): readonly Syntax[] {
  // The table is keyed by kind, so the function accepts this node.
  return parts[node.kind](node as never);
}
