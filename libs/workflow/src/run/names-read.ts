import { type Expression } from '#expressions';

import { type CompiledWorkflow } from '../definition/compiled-workflow.js';
import { accessOf } from '../definition/outcome-fields.js';

type Syntax = Expression['tree'];

/** The names that an expression reads of `context` and `results`; `all` if it takes one of them as a whole. */
export type NamesRead = ReadonlySet<string> | 'all';

const known = new WeakMap<Expression, NamesRead>();

export function namesRead(expression: Expression): NamesRead {
  const read = known.get(expression) ?? findNames(expression.tree);
  known.set(expression, read);
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

const roots: ReadonlySet<string> = new Set(['context', 'results']);

function findNames(tree: Syntax): NamesRead {
  const names = new Set<string>();
  return collect(tree, names) ? names : 'all';
}

/** False if a root is read as a whole. */
function collect(node: Syntax, names: Set<string>): boolean {
  const [object, name] = accessOf(node) ?? [];
  if (object?.kind === 'name' && roots.has(object.name) && name !== undefined) {
    names.add(name);
    return true;
  }
  if (node.kind === 'name') return !roots.has(node.name);
  return partsOf(node).every((part) => collect(part, names));
}

/** The nodes in the members of a node, whatever its kind. */
function partsOf(value: object): readonly Syntax[] {
  return Object.values(value).flatMap((member: unknown): readonly Syntax[] => {
    if (typeof member !== 'object' || member === null) return [];
    // Nodes are the only objects of a tree that have a kind.
    return 'kind' in member ? [member as Syntax] : partsOf(member);
  });
}
