import { type JsonObject, type JsonValue } from '#event-sourcing';

import { ExpressionError } from './expression-error.js';
import { listFunctions } from './function-names.js';
import { functions, list } from './functions.js';
import { limits } from './limits.js';
import { OperandError, negate, operate } from './operators.js';
import { checkSize } from './result-size.js';
import { stepsOfCall, stepsOfOperator } from './steps.js';
import { type Syntax } from './syntax.js';
import { type Value, memberOf } from './value.js';

type Node<Kind extends Syntax['kind']> = Extract<Syntax, { kind: Kind }>;
type Handlers = { readonly [Kind in Syntax['kind']]: (node: Node<Kind>, scope: Scope) => Value };

/** The named element of a list function; `outer`: the element of the enclosing list function. */
type Element = Readonly<{ name: string; value: JsonValue; outer: Element | undefined }>;
type Scope = Readonly<{
  roots: JsonObject;
  lines?: ReadonlyMap<string, Value>;
  element?: Element | undefined;
}>;

/** Called with a number of steps before they are taken. */
export type Spend = (steps: number) => void;

/** Evaluates a tree in a scope. For any data, throws only {@link ExpressionError} and the errors of `spend`. */
export class Evaluator {
  #steps = 0;

  constructor(private readonly spend: Spend = () => undefined) {}

  readonly #handlers: Handlers = {
    literal: ({ value }) => value,
    undefined: () => undefined,
    name: ({ name }, scope) => valueOfName(name, scope),
    member: ({ object, key }, scope) => memberOf(this.#value(object, scope), key),
    index: (node, scope) => this.#index(node, scope),
    unary: ({ operator, operand }, scope) => {
      const value = this.#value(operand, scope);
      return operator === '!' ? !value : negate(value);
    },
    binary: (node, scope) => this.#operate(node, scope),
    logical: (node, scope) => this.#logical(node, scope),
    conditional: ({ test, consequent, alternate }, scope) =>
      this.#value(this.#value(test, scope) ? consequent : alternate, scope),
    array: ({ elements }, scope) => elements.map((each) => this.#value(each, scope) ?? null),
    object: ({ members }, scope) => Object.fromEntries(this.#members(members, scope)),
    call: (node, scope) => this.#call(node, scope),
    lines: (node, scope) => this.#lines(node, scope),
  };

  evaluate(tree: Syntax, roots: JsonObject): Value {
    const result = this.#value(tree, { roots });
    checkSize(result, tree.at, this.spend);
    return result;
  }

  #value(node: Syntax, scope: Scope): Value {
    this.#spend(1, node.at);
    try {
      // The table is keyed by kind, so the handler accepts this node.
      return this.#handlers[node.kind](node as never, scope);
    } catch (error) {
      if (error instanceof OperandError) throw new ExpressionError(error.message, node.at);
      throw error;
    }
  }

  #spend(steps: number, at: number): void {
    this.spend(steps);
    this.#steps += steps;
    if (this.#steps > limits.steps)
      throw new ExpressionError(`it takes more than ${limits.steps} steps`, at);
  }

  #operate({ operator, left: first, right: second, at }: Node<'binary'>, scope: Scope): Value {
    const left = this.#value(first, scope);
    const right = this.#value(second, scope);
    this.#spend(stepsOfOperator(operator, left, right), at);
    return operate(operator, left, right);
  }

  #index({ object, index, at }: Node<'index'>, scope: Scope): Value {
    const container = this.#value(object, scope);
    const key = this.#value(index, scope);
    if (typeof key !== 'string' && typeof key !== 'number')
      // prose-ignore: stored in events
      throw new ExpressionError('what stands in brackets is a text or a number', at);
    return memberOf(container, key);
  }

  #logical({ operator, left, right }: Node<'logical'>, scope: Scope): Value {
    const value = this.#value(left, scope);
    if (operator === '??') return value ?? this.#value(right, scope);
    const isDecided = operator === '&&' ? !value : Boolean(value);
    return isDecided ? value : this.#value(right, scope);
  }

  /** Members whose value is undefined are omitted, as in JSON. */
  #members(members: Node<'object'>['members'], scope: Scope): [string, JsonValue][] {
    const found: [string, JsonValue][] = [];
    for (const [key, each] of members) {
      const value = this.#value(each, scope);
      if (value !== undefined) found.push([key, value]);
    }
    return found;
  }

  #call(node: Node<'call'>, scope: Scope): Value {
    if (listFunctions.has(node.name)) return this.#forEach(node, scope);
    const given = node.arguments.map((each) => this.#value(each, scope));
    this.#spend(stepsOfCall(node.name, given), node.at);
    // The parser accepts only names of this table.
    return functions[node.name]?.(...given);
  }

  #lines({ lines }: Node<'lines'>, scope: Scope): Value {
    const known = new Map<string, Value>();
    let last: Value;
    for (const { name, value } of lines) {
      last = this.#value(value, { ...scope, lines: known });
      if (name !== undefined) known.set(name, last);
    }
    return last;
  }

  #forEach(node: Node<'call'>, scope: Scope): Value {
    const { name, arguments: given, parameter = 'item', at } = node;
    const [over, each] = given;
    if (!over || !each) throw new ExpressionError(`${name} takes a list and an expression`, at);
    const elements = list(name, this.#value(over, scope));
    const of = (value: JsonValue) =>
      this.#value(each, { ...scope, element: { name: parameter, value, outer: scope.element } });
    if (name === 'any') return elements.some((item) => of(item));
    if (name === 'all') return elements.every((item) => of(item));
    if (name === 'filter') return elements.filter((item) => of(item));
    return elements.map((item) => of(item) ?? null);
  }
}

function valueOfName(name: string, { roots, lines, element }: Scope): Value {
  for (let at = element; at; at = at.outer) if (at.name === name) return at.value;
  return lines?.has(name) ? lines.get(name) : ownMember(roots, name);
}

function ownMember(roots: JsonObject, name: string): Value {
  return Object.hasOwn(roots, name) ? roots[name] : undefined;
}
