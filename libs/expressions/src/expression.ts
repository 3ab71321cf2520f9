import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type CompileOptions } from './compile-options.js';
import { Evaluator, type Spend } from './evaluator.js';
import { parse } from './parser.js';
import { type Syntax } from './syntax.js';

/** A parsed source. The tree is JSON and can be stored, so that its meaning never changes. */
export type Expression = Readonly<{ source: string; tree: Syntax }>;

/** Parses an expression. Throws ExpressionError with the position of the first fault. */
export function compileExpression(source: string, options: CompileOptions = {}): Expression {
  return { source, tree: parse(source, options) };
}

/**
 * The value of an expression over the own members of `scope`; undefined if a path leads nowhere. Pure and total: the
 * evaluation ends within its limits with a value or an ExpressionError. `spend` is called before every step, so that a
 * common limit of several expressions can end the evaluation by throwing.
 */
export function evaluateExpression(
  { tree }: Expression,
  scope: JsonObject,
  spend?: Spend,
): JsonValue | undefined {
  return new Evaluator(spend).evaluate(tree, scope);
}
