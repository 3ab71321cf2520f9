import { type Expression } from '#expressions';

import { type CompiledWorkflow } from '../definition/compiled-workflow.js';
import { accessOf } from '../definition/outcome-fields.js';

type Syntax = Expression['tree'];

/** Names below one root of a scope; `all` if an expression reads the root as a whole. */
export type Names = ReadonlySet<string> | 'all';

/**
 * The names that an expression reads: steps, aliases and members of the initial context, and paths of derived values.
 */
type NamesRead = Readonly<{ steps: Names; derived: Names }>;

const cache = new WeakMap<Expression, NamesRead>();

export function namesRead(expression: Expression): NamesRead {
  const read = cache.get(expression) ?? {
    steps: findNames(expression.tree, stepRoots),
    derived: findNames(expression.tree, derivedRoots),
  };
  cache.set(expression, read);
  return read;
}

/** The expressions of a definition. */
export function expressionsOf(workflow: CompiledWorkflow): readonly Expression[] {
  const ofSteps = Object.values(workflow.steps).flatMap((step) => [
    step.when,
    step.type === 'condition' ? step.condition : undefined,
    step.type === 'transform' ? step.transform : undefined,
  ]);
  return [...ofSteps, workflow.output].filter((expression) => expression !== undefined);
}

const stepRoots: ReadonlySet<string> = new Set(['context', 'results']);
const derivedRoots: ReadonlySet<string> = new Set(['derived']);

function findNames(tree: Syntax, roots: ReadonlySet<string>): Names {
  const names = new Set<string>();
  return collect(tree, roots, names) ? names : 'all';
}

/** False if the expression reads a root as a whole. */
function collect(node: Syntax, roots: ReadonlySet<string>, names: Set<string>): boolean {
  const [object, name] = accessOf(node) ?? [];
  if (object?.kind === 'name' && roots.has(object.name) && name !== undefined) {
    names.add(name);
    return true;
  }
  if (node.kind === 'name') return !roots.has(node.name);
  return partsOf(node).every((part) => collect(part, roots, names));
}

/** The nodes in the members of a node of any kind. */
function partsOf(value: object): readonly Syntax[] {
  return Object.values(value).flatMap((member: unknown): readonly Syntax[] => {
    if (typeof member !== 'object' || member === null) return [];
    // Nodes are the only objects in a tree that have a kind.
    return 'kind' in member ? [member as Syntax] : partsOf(member);
  });
}
