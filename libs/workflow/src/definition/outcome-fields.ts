import { type Expression } from '#expressions';

import { outcomeFields } from './expression-names.js';

type Syntax = Expression['tree'];

/** Finds the step of a name in `context`: by its id or by its `output`. */
type StepOfName = (name: string) => string | undefined;

/**
 * Makes `context.<step>.success`, and the other fields of an outcome, fall back to `results.<step>.success` if the
 * result has no such member. The rule is compiled into the tree, so that scopes hold plain results.
 */
export function resolveOutcomes({ source, tree }: Expression, stepOfName: StepOfName): Expression {
  return { source, tree: new Resolver(stepOfName).resolve(tree, new Set()) };
}

type Names = ReadonlySet<string>;
type Node<Kind extends Syntax['kind']> = Extract<Syntax, { kind: Kind }>;
type Handlers = { readonly [Kind in Syntax['kind']]: (node: Node<Kind>, own: Names) => Syntax };

/** `own`: the parameter names of enclosing functions, which shadow the names of the scope. */
class Resolver {
  constructor(private readonly stepOfName: StepOfName) {}

  resolve(node: Syntax, own: Names): Syntax {
    // Each entry of the table handles the nodes of one kind.
    return this.#handlers[node.kind](node as never, own);
  }

  readonly #handlers: Handlers = {
    literal: (node) => node,
    undefined: (node) => node,
    name: (node) => node,
    member: (node, own) =>
      this.#access(node, { ...node, object: this.resolve(node.object, own) }, own),
    index: (node, own) =>
      this.#access(
        node,
        { ...node, object: this.resolve(node.object, own), index: this.resolve(node.index, own) },
        own,
      ),
    unary: (node, own) => ({ ...node, operand: this.resolve(node.operand, own) }),
    binary: (node, own) => this.#sides(node, own),
    logical: (node, own) => this.#sides(node, own),
    conditional: (node, own) => ({
      ...node,
      test: this.resolve(node.test, own),
      consequent: this.resolve(node.consequent, own),
      alternate: this.resolve(node.alternate, own),
    }),
    array: (node, own) => ({
      ...node,
      elements: node.elements.map((each) => this.resolve(each, own)),
    }),
    object: (node, own) => ({
      ...node,
      members: node.members.map(([key, value]) => [key, this.resolve(value, own)] as const),
    }),
    call: (node, own) => this.#call(node, own),
    lines: (node, own) => ({
      ...node,
      lines: node.lines.map((line) => ({ ...line, value: this.resolve(line.value, own) })),
    }),
  };

  #sides<Sides extends Node<'binary'> | Node<'logical'>>(node: Sides, own: Names): Sides {
    return { ...node, left: this.resolve(node.left, own), right: this.resolve(node.right, own) };
  }

  #call(node: Node<'call'>, own: Names): Syntax {
    const inner = node.parameter === undefined ? own : new Set([...own, node.parameter]);
    return {
      ...node,
      arguments: node.arguments.map((each, at) => this.resolve(each, at === 0 ? own : inner)),
    };
  }

  /** `resolved`: the access itself, with its parts resolved. */
  #access(node: Syntax, resolved: Syntax, own: Names): Syntax {
    const outcome = own.has('context') ? undefined : this.#outcomeOf(node);
    if (!outcome) return resolved;
    const { at } = node;
    const isAbsent: Syntax = {
      kind: 'binary',
      operator: '===',
      left: resolved,
      right: { kind: 'undefined', at },
      at,
    };
    return { kind: 'conditional', test: isAbsent, consequent: outcome, alternate: resolved, at };
  }

  /** The access to `results` that an access to `context` falls back to. */
  #outcomeOf(node: Syntax): Syntax | undefined {
    const [object, field = ''] = accessOf(node) ?? [];
    if (!object || !outcomeFields.has(field)) return undefined;
    const step = this.#stepOf(object);
    if (step === undefined) return undefined;
    const { at } = node;
    const results: Syntax = { kind: 'name', name: 'results', at };
    const result: Syntax = { kind: 'member', object: results, key: step, at };
    return { kind: 'member', object: result, key: field, at };
  }

  /** The step whose result is read by `context.<name>`. */
  #stepOf(node: Syntax): string | undefined {
    const [root, name = ''] = accessOf(node) ?? [];
    return root?.kind === 'name' && root.name === 'context' ? this.stepOfName(name) : undefined;
  }
}

/** The object and the name of an access by a dot or by a literal text in brackets. */
export function accessOf(node: Syntax): readonly [object: Syntax, name: string] | undefined {
  if (node.kind === 'member') return [node.object, node.key];
  if (node.kind !== 'index' || node.index.kind !== 'literal') return undefined;
  const { value } = node.index;
  return typeof value === 'string' ? [node.object, value] : undefined;
}
