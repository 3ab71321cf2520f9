import { lineNamesIn, partsOf } from './names-in.js';
import { type Syntax } from './syntax.js';

/** A name that is looked up in the scope, and the following members as far as the source names them. */
export type PathLookup = Readonly<{
  names: readonly string[];
  /** The start position in the source. */
  at: number;
  /** Whether the expression handles a missing value: by `??`, `default`, `coalesce` or a comparison with null. */
  allowsAbsence: boolean;
}>;

type Names = ReadonlySet<string>;
type Node<Kind extends Syntax['kind']> = Extract<Syntax, { kind: Kind }>;

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '===', '!==']);
const fallbacks: ReadonlySet<string> = new Set(['default', 'coalesce']);

/** The paths that an expression reads from its scope, in the order of the source. */
export function pathsIn(tree: Syntax): readonly PathLookup[] {
  const found: PathLookup[] = [];
  collect(tree, new Set(['item']), false, found);
  return found.toSorted((left, right) => left.at - right.at);
}

/** `own`: the names of enclosing elements and of lines, which are not looked up in the scope. */
function collect(node: Syntax, own: Names, allowsAbsence: boolean, found: PathLookup[]): void {
  if (node.kind === 'name' || node.kind === 'member' || node.kind === 'index')
    return collectPath(node, own, allowsAbsence, found);
  if (node.kind === 'call') return collectCall(node, own, found);
  const inner = new Set([...own, ...lineNamesIn(node)]);
  for (const part of partsOf(node)) collect(part, inner, isFallenBackFrom(part, node), found);
}

function collectPath(node: Syntax, own: Names, allowsAbsence: boolean, found: PathLookup[]): void {
  const names: string[] = [];
  let base = node;
  while (base.kind === 'member' || base.kind === 'index') {
    const key = keyOf(base);
    if (key === undefined) names.length = 0;
    else names.unshift(key);
    if (base.kind === 'index') collect(base.index, own, false, found);
    base = base.object;
  }
  if (base.kind !== 'name') return collect(base, own, false, found);
  if (!own.has(base.name)) found.push({ names: [base.name, ...names], at: base.at, allowsAbsence });
}

/** Undefined if the key is only known when the expression is evaluated. */
function keyOf(node: Node<'member'> | Node<'index'>): string | undefined {
  if (node.kind === 'member') return node.key;
  const { index } = node;
  return index.kind === 'literal' && typeof index.value === 'string' ? index.value : undefined;
}

function collectCall(node: Node<'call'>, own: Names, found: PathLookup[]): void {
  const inner = node.parameter === undefined ? own : new Set([...own, node.parameter]);
  for (const [at, part] of node.arguments.entries())
    collect(part, at === 0 ? own : inner, fallbacks.has(node.name), found);
}

function isFallenBackFrom(part: Syntax, node: Syntax): boolean {
  if (node.kind === 'logical') return node.operator === '??' && part === node.left;
  if (node.kind !== 'binary' || !comparisons.has(node.operator)) return false;
  return [node.left, node.right].some((side) => side !== part && isNothing(side));
}

function isNothing(node: Syntax): boolean {
  return node.kind === 'undefined' || (node.kind === 'literal' && node.value === null);
}
